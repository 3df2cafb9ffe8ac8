//! `lzma <from> <to>`: writes a file as the raw LZMA stream that `pkg/entry/lzma.js` decodes.

use std::{env, fs, io::Write};

use anyhow::{Context, bail};
use lzma_rust2::{EncodeMode, LzmaOptions, LzmaWriter, MfType};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [from, to] = arguments.as_slice() else { bail!("usage: lzma <from> <to>") };
    let content = fs::read(from).with_context(|| format!("reading {}", from.display()))?;
    let options = LzmaOptions {
        // The decoder knows these three and no others. Of the byte before, all that helps is whether a number goes
        // on; and there is no alignment for `lp` and `pb` to find.
        lc: 1,
        lp: 0,
        pb: 0,
        // A window over all of it, and every effort: it is packed once and unpacked at each import.
        dict_size: u32::try_from(content.len())?.max(lzma_rust2::DICT_SIZE_MIN),
        mode: EncodeMode::Normal,
        mf: MfType::Bt4,
        nice_len: LzmaOptions::NICE_LEN_MAX,
        depth_limit: 1000,
        preset_dict: None,
    };
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false)?;
    writer.write_all(&content)?;
    fs::write(to, writer.finish()?).with_context(|| format!("writing {}", to.display()))
}
