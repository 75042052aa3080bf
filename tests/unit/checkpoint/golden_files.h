// SPDX-License-Identifier: GPL-3.0-or-later
// Files that PyTorch 1.13 and 2.6 wrote, as text: hex, or base64 of a gzip stream. Pure.
#pragma once

#include <string>
#include <string_view>
#include <zlib.h>

namespace firstbad::test {

// torch.save({'a': tensor([1.0, nan])}, 'm.pt') of PyTorch 1.13.
inline constexpr std::string_view kTorch113Hex
    = "504b0304000008080000000000000000000000000000000000000a0018006d2f646174612e706b6c464214"
      "005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a80027d7100580100000061710163746f7263682e5f75"
      "74696c730a5f72656275696c645f74656e736f725f76320a71022828580700000073746f72616765710363"
      "746f7263680a466c6f617453746f726167650a71045801000000307105580300000063707571064b027471"
      "07514b004b028571084b018571098963636f6c6c656374696f6e730a4f726465726564446963740a710a29"
      "52710b74710c52710d732e504b0708023b04e5a2000000a2000000504b0304000008080000000000000000"
      "00000000000000000000080028006d2f646174612f30464224005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
      "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a0000803f0000c07f504b0708055fa3530800000008000000"
      "504b030400000808000000000000000000000000000000000000090041006d2f76657273696f6e46423d00"
      "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
      "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a330a504b0708d19e67550200000002000000504b0102000000"
      "000808000000000000023b04e5a2000000a20000000a00000000000000000000000000000000006d2f6461"
      "74612e706b6c504b0102000000000808000000000000055fa3530800000008000000080000000000000000"
      "0000000000f20000006d2f646174612f30504b0102000000000808000000000000d19e6755020000000200"
      "00000900000000000000000000000000580100006d2f76657273696f6e504b06062c000000000000001e03"
      "2d00000000000000000003000000000000000300000000000000a500000000000000d20100000000000050"
      "4b060700000000770200000000000001000000504b05060000000003000300a5000000d20100000000";

// torch.save of PyTorch 2.6: w f32 [[1,2,3],[4,5,nan]], wt = w.T, bf bf16 [1,inf,nan],
// e4 e4m3fn [1,nan,448], e5 e5m2 [inf,-inf,nan,1], u16 uint16 [1,65535], lr nan.
inline constexpr std::string_view kTorch26Base64
    = "H4sIAAAAAAACA6WWu2/TQBzHz3GStm7Lo0Bpy/sdoKTxI47Lq8ggM1iIEkCqukRp4mILk/SXXIpAQLKkEitMLI"
      "gRsSCxAIKBEbFVYmJg4Z9gQIK7s5XabiEUTjmdZN/n+/367nd2pk0+jlBvL1rVBtAwWpTUiXIRF9MLN11DH0Kz"
      "q1ordh9QaoYjwG3gSrhaK9npQgM7bl0o1Ky5huOWC9iq1Ku1wqIkQCyVmukhk+tkZvGGBbyHCIZbLeKr3kUB4k"
      "wwA4kZnoylhQYkzSSGnismMmMmvwS9Jm9yS9D3sFSquq5Vwk61Uhcu18pWzSpfcEpYAOFoHvoxDORhcCZG42HY"
      "YBN7m7fjdsJmghupIG/GlmCTyVHdzQ9tyg1h2JKHrYybm4dtHudH1VlWUe2kHWZpRdhORHkMI0y0DaMm14YxT3"
      "AHhp152MUELQV2d1koWYA9K45pf7GE6xV8Z8Eqd4z3MmMJ9nnG+33jA9T4oGd8yA89TzNrBUu5Jc9XBDiM4Uge"
      "Ul6eLBy1mZ3tCcpwjAjGMRyngvE2jFPBE55gOiKYvUV2dQJDJg8i262GqIIU0lNA9vQUtn9tyFI91dPL+XoNp0"
      "LWVAANw2QeTrJkbg1OXWx+9+qxkZ42e3rPv7p03yX3aJ/+be0OolFWu3N3sFWlRWHo29YoXtJcB2PXosrtM99G"
      "k4Sl/ffKAtI7p2IiY+hn15b964ZQa4rIniM/0lukPyP9Q5MmGv1YeDlCbo50SZRZSSQa+vi6ErWmWk3P7cmb19"
      "l1Pr/0/8+vNR9Qc+3agU+0ePgu5okVc9nQOTR770fzNBWQrr47RSgU7yIQXxFQDB0hDv38SfmlF1+PdOf70XnG"
      "L1q1OnnjGPrUfz7+rCxQ9+WnN67Tgo/90X0Mqcw9zeLXrZpTdJ27RfruKzhlQ5f+IUxGzYiiNqmJWi4nSrIsSR"
      "lZlBVVy2YzkzltMptTRUVRVJpSfftlOUVypFhKjobt5Ayey4FVyYPfkSgZPHeDIep9DIVPcRQNHhAhhA7zKHBM"
      "o1yw1MPc8yAnRrlglUb84gFOinLB4gxzj4OcHOWCRRnmPgc5JcoFy6k/xG1NoGABR8HgDo+FwEc+uHbtTZvJ5L"
      "g/czd/okP1RcYNMX8hk95IOPpnABm+P8euJZIe08fme3N/AbiBJNqoCAAA";

// A data file of a distributed checkpoint of PyTorch 2.6: the item `step` in [0, 864), the item
// `model.w` in [864, 2044).
inline constexpr std::string_view kDcp26Base64
    = "H4sIAAAAAAACA9VUP2/TQBQ/24kTjJS2LLQS6sKQINrEseM/qSggC3nxQEhVFGWxXNsqFlbdsy+RQEhkoRIfgK"
      "UD4hvwAVjYYGVhY2JBfAImxJ3dWrZDmxBg6DmnJ5/f771f3rv36xlMCYBqFUytZXAFWKH9yBu7LcdCVvPwsa9r"
      "NTDMrQltVJo9o1LdHL8SyhhGdu/MoCvgVhp07wlyg9BxQ11TC1HnX76HkO8SAi+2v66xOAV7LoElsJ0SGLth5A"
      "UHutZdOP1Q5EjuT6/3d2kcnT439zoQ0txNUtJW5Iae5XtPLYR5mJ6ja80/pMLLotyRFEVUuh25w7d5qS3y8WpL"
      "vIpPsW2LikRYesGzdw3MoxGzpAjZlGe2fctTzIv3oIjO1n4lh9zNoNOGF+HZ8i3l4J8z8JN2FcHZf7WeA/cpMK"
      "PePYNlN067w2ymyFLBslRif5xYjKsQ+5NO3qn4rMwmmFLsn/j2/nq+bBRgr6Y5Qp4fcWbo7o083zGRexAFoTkW"
      "OAgajQGhE2FPa9+FVALhdD+w0E5yyEF6QAjxkBkw2NqHI1gyWATLDwxg0AZzBFmDMagjWHlp24HvuzapUcTdJw"
      "1znXuejThYvdGHlxDk+vByPPQfop36MY52PGPo678b+uvgP8x3DdzOVbXF69rW4uM9BGByB4e9i394T/B+g/f7"
      "54TR2kfz7Sr+uDpDcW5OK04dXBR9kRRZlVRVUkRV6nZlQVGFWF7UrtyRRVGWBPxIMmF59dqXjbP0JXtT/qW+fJ"
      "9HX7KNquXgDylQuC7za9M3aqY2ZStS0CZ6UW0qF6x2qk10Xpu2StPaVMYP8U98fwGQsFtp/AcAAA==";

inline std::string fromHex(std::string_view hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return bytes;
}

inline std::string fromBase64(std::string_view text)
{
    constexpr std::string_view kDigits
        = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned value = 0;
    int bits = 0;
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos)
            continue;
        value = ((value << 6U) | static_cast<unsigned>(digit)) & 0xFFFFFFU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>((value >> static_cast<unsigned>(bits)) & 0xFFU);
        }
    }
    return bytes;
}

inline std::string gunzipped(const std::string& packed)
{
    std::string plain(1U << 16U, '\0');
    z_stream stream{};
    ::inflateInit2(&stream, MAX_WBITS + 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(plain.data());
    stream.avail_out = static_cast<uInt>(plain.size());
    ::inflate(&stream, Z_FINISH);
    plain.resize(plain.size() - stream.avail_out);
    ::inflateEnd(&stream);
    return plain;
}

}  // namespace firstbad::test
