// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/dialects/build_nanogpt_dialect.h"
#include "core/import/dialects/chronicle_dialect.h"
#include "core/import/dialects/composer_dialect.h"
#include "core/import/dialects/deepspeed_dialect.h"
#include "core/import/dialects/dllogger_dialect.h"
#include "core/import/dialects/fairseq_dialect.h"
#include "core/import/dialects/generic_dialect.h"
#include "core/import/dialects/hf_stdout_dialect.h"
#include "core/import/dialects/launch_dialect.h"
#include "core/import/dialects/lightning_dialect.h"
#include "core/import/dialects/litgpt_dialect.h"
#include "core/import/dialects/llmc_dialect.h"
#include "core/import/dialects/maxtext_dialect.h"
#include "core/import/dialects/megatron_dialect.h"
#include "core/import/dialects/metriclogger_dialect.h"
#include "core/import/dialects/mllog_dialect.h"
#include "core/import/dialects/mlx_dialect.h"
#include "core/import/dialects/mmengine_dialect.h"
#include "core/import/dialects/modded_nanogpt_dialect.h"
#include "core/import/dialects/nanochat_dialect.h"
#include "core/import/dialects/nanogpt_dialect.h"
#include "core/import/dialects/nanotron_dialect.h"
#include "core/import/dialects/nemo_dialect.h"
#include "core/import/dialects/olmo_dialect.h"
#include "core/import/dialects/overflow_dialect.h"
#include "core/import/dialects/paddle_dialect.h"
#include "core/import/dialects/rwkv_dialect.h"
#include "core/import/dialects/swin_dialect.h"
#include "core/import/dialects/torchtitan_dialect.h"
#include "core/import/dialects/torchtune_dialect.h"
#include "core/import/dialects/tqdm_dialect.h"
#include "core/import/dialects/word_lm_dialect.h"
#include "core/import/text/line_dialect.h"

#include <array>

namespace firstbad::core {

std::span<const LineDialect> dialectTable() noexcept
{
    // Earlier lines win ties. Companions come last.
    static const std::array kTable{
        fairseqDialect(),
        fairseqJsonDialect(),
        nanogptDialect(),
        buildNanogptDialect(),
        moddedNanogptDialect(),
        nanochatDialect(),
        litgptDialect(),
        llmcConsoleDialect(),
        llmcMainDialect(),
        torchtitanDialect(),
        torchtuneDialect(),
        olmoDialect(),
        nanotronDialect(),
        maxtextDialect(),
        composerDialect(),
        mlxDialect(),
        rwkvDialect(),
        metricloggerDialect(),
        swinDialect(),
        mmengineDialect(),
        paddleDialect(),
        knoverDialect(),
        wordLmDialect(),
        mllogDialect(),
        dlllDialect(),
        dllTextDialect(),
        nemoDialect(),
        lightningDialect(),
        megatronDialect(),
        deepspeedDialect(),
        hfStdoutDialect(),
        tqdmDialect(),
        chronicleDialect(),
        LineDialect{"text", "lines with a step and other numbers", DialectRole::Primary,
            &scoreGenericLine, &makeGenericReader, true},
        overflowDialect(),
        launchDialect(),
        chronicleNotes(),
    };
    return kTable;
}

}  // namespace firstbad::core
