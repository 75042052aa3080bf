// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tokens.h"

namespace firstbad::ui {

const Tokens& lightTokens()
{
    static const Tokens kTokens = [] {
        Tokens t;
        t.isDark = false;
        t.window = QColor(0xF1F3F5);
        t.panel = QColor(0xFFFFFF);
        t.header = QColor(0xF7F8FA);
        t.border = QColor(0xCFD5DB);
        t.hair = QColor(0xE4E8EC);
        t.text = QColor(0x1A1D21);
        t.text2 = QColor(0x47505A);
        t.text3 = QColor(0x66707B);
        t.accent = QColor(0x0A5FA8);
        t.selection = QColor(0xDCEBFA);
        t.hover = QColor(0xEEF3F8);
        t.givenUp = QColor(0x8E98A3);
        t.loss = QColor(0x0067A8);
        t.lossScale = QColor(0x00755B);
        t.gradNorm = QColor(0x8A5A00);
        t.rate = QColor(0x4A5058);
        t.notLookedAt = QColor(0xFFFFFF);
        t.notLookedAtLine = QColor(0xAEB7C0);
        t.finite = QColor(0xC5DCEC);
        t.finiteGlyph = QColor(0x2D5C7E);
        t.inf = QColor(0xF0A30A);
        t.infGlyph = QColor(0x1A1D21);
        t.nan = QColor(0x6A1B8A);
        t.nanGlyph = QColor(0xFFFFFF);
        t.both = QColor(0xD04A02);
        t.bothGlyph = QColor(0xFFFFFF);
        t.ring = QColor(0x0B0D10);
        t.gap = QColor(0xFFFFFF);
        t.edge = QColor(0x7A5200);
        t.committed = QColor(0x00706B);
        t.committedGlyph = QColor(0xFFFFFF);
        t.suspect = QColor(0xF2B632);
        t.suspectGlyph = QColor(0x1A1D21);
        t.suspectText = QColor(0x7A5200);
        t.quarantined = QColor(0x9E1B32);
        t.quarantinedGlyph = QColor(0xFFFFFF);
        t.fault = QColor(0xB42318);
        t.unknown = QColor(0x7A5200);
        t.benign = QColor(0x47505A);
        t.onClass = QColor(0xFFFFFF);
        return t;
    }();
    return kTokens;
}

const Tokens& darkTokens()
{
    static const Tokens kTokens = [] {
        Tokens t;
        t.isDark = true;
        t.window = QColor(0x14171B);
        t.panel = QColor(0x1B1F24);
        t.header = QColor(0x20252B);
        t.border = QColor(0x39414A);
        t.hair = QColor(0x2A3038);
        t.text = QColor(0xE6E9ED);
        t.text2 = QColor(0xB6BEC7);
        t.text3 = QColor(0x8F99A4);
        t.accent = QColor(0x6DB7F2);
        t.selection = QColor(0x1E3B56);
        t.hover = QColor(0x252B32);
        t.givenUp = QColor(0x6C7681);
        t.loss = QColor(0x5CB8F0);
        t.lossScale = QColor(0x3CCFA4);
        t.gradNorm = QColor(0xE3B04B);
        t.rate = QColor(0xC4CAD1);
        t.notLookedAt = QColor(0x1B1F24);
        t.notLookedAtLine = QColor(0x56606B);
        t.finite = QColor(0x2C4B61);
        t.finiteGlyph = QColor(0xA5CDE8);
        t.inf = QColor(0xFFC145);
        t.infGlyph = QColor(0x14171B);
        t.nan = QColor(0xB27FDE);
        t.nanGlyph = QColor(0x14171B);
        t.both = QColor(0xFF7A45);
        t.bothGlyph = QColor(0x14171B);
        t.ring = QColor(0xFFFFFF);
        t.gap = QColor(0x14171B);
        t.edge = QColor(0xFFD166);
        t.committed = QColor(0x45BDB3);
        t.committedGlyph = QColor(0x14171B);
        t.suspect = QColor(0xFFD166);
        t.suspectGlyph = QColor(0x14171B);
        t.suspectText = QColor(0xFFD166);
        t.quarantined = QColor(0xF88895);
        t.quarantinedGlyph = QColor(0x14171B);
        t.fault = QColor(0xFF8A7A);
        t.unknown = QColor(0xE5B454);
        t.benign = QColor(0xB6BEC7);
        t.onClass = QColor(0x14171B);
        return t;
    }();
    return kTokens;
}

}  // namespace firstbad::ui
