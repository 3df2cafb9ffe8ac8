//! Who may import whom: a module names only modules below its own level.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};

/// Each room of the house and its level. A file belongs to the longest prefix that fits its path.
const LEVELS: &[(&str, u8)] = &[
    ("amount", 0),
    ("value", 0),
    ("json", 0),
    ("api/endpoint", 0),
    ("api/response", 0),
    ("error", 1),
    ("reader", 1),
    ("api/request", 1),
    ("launchpad", 1),
    ("api/validate", 2),
    ("launchpad/quote", 2),
    ("launchpad/bundle", 2),
    ("launchpad/goal", 2),
    ("launchpad/plan", 2),
    ("launchpad/receipt", 2),
    ("launchpad/position", 2),
    ("launchpad/batch", 2),
    ("launchpad/backtest", 2),
    ("api/encode", 3),
    ("api/decode", 3),
    ("render", 3),
    ("client", 4),
    ("sandbox", 4),
    ("gateway", 4),
    ("wasm", 5),
];

/// Same level, and still strangers to each other.
const STRANGERS: &[&str] = &["client", "sandbox", "gateway"];

fn level(path: &str) -> Option<u8> {
    let fits = |room: &str| path == room || path.starts_with(&format!("{room}/"));
    LEVELS.iter().filter(|(room, _)| fits(room)).max_by_key(|(room, _)| room.len()).map(|(_, level)| *level)
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Every `crate::a::b` and `super::b` in the code of a file, as paths below `src`, tests left out.
fn imports(module: &str, text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    for (prefix, base) in [("crate::", String::new()), ("super::", parent(module))] {
        for (at, _) in code.match_indices(prefix) {
            let rest = &code[at + prefix.len()..];
            let path: String =
                rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_' || *c == ':').collect();
            let names: Vec<&str> = path.split("::").filter(|name| !name.is_empty()).collect();
            let group = rest[path.len()..].strip_prefix('{').and_then(|rest| rest.split('}').next());
            let base = if base.is_empty() { String::new() } else { format!("{base}/") };
            let path = format!("{base}{}", names.join("/"));
            match group.filter(|_| names.len() <= 1) {
                // `use crate::{json, object}`: each name on its own.
                Some(group) => {
                    found.extend(group.split(',').map(|name| {
                        let name = name.trim().replace("::", "/");
                        if names.is_empty() { format!("{base}{name}") } else { format!("{path}/{name}") }
                    }));
                }
                None => found.push(path),
            }
        }
    }
    found
}

fn parent(module: &str) -> String {
    module.rsplit_once('/').map_or(String::new(), |(parent, _)| parent.to_owned())
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut breaches = Vec::new();
    let mut checked = 0;
    for file in files {
        let relative = file.strip_prefix(&root).unwrap().with_extension("");
        let module = relative.to_string_lossy().replace('\\', "/");
        // The front pages only list what is in the house.
        if module == "lib" || module == "api/mod" {
            continue;
        }
        let own = level(&module).unwrap_or_else(|| panic!("{module} has no level"));
        let own_room = module.split('/').next().unwrap();
        for import in imports(&module, &fs::read_to_string(&file).unwrap()) {
            let Some(theirs) = level(&import) else { continue };
            checked += 1;
            let room = import.split('/').next().unwrap();
            let strangers = room != own_room && STRANGERS.contains(&room) && STRANGERS.contains(&own_room);
            let within_room = room == own_room && own_room != "api" && own_room != "launchpad";
            if strangers || (theirs > own && !within_room) {
                breaches.push(format!("{module} (level {own}) imports {import} (level {theirs})"));
            }
        }
    }
    assert!(checked > 50, "only {checked} imports were found: the test reads them wrongly");
    assert_eq!(breaches, Vec::<String>::new());
}

#[test]
fn a_breach_is_found_in_every_way_of_writing_it() {
    let found = imports(
        "api/encode",
        "use crate::{client, json};\nuse super::decode::x;\nlet a = crate::sandbox::State;",
    );
    assert_eq!(found, ["client", "json", "sandbox", "api/decode/x"]);
    assert_eq!(imports("a", "// crate::client\n"), Vec::<String>::new());
}

#[test]
fn only_the_wasm_part_names_the_browser() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files.iter().filter(|file| !file.starts_with(root.join("wasm"))) {
        let text = fs::read_to_string(file).unwrap();
        for name in ["wasm_bindgen", "js_sys", "web_sys", "gloo_net", "wasm::"] {
            assert!(!text.contains(name) || file.ends_with("lib.rs"), "{} names {name}", file.display());
        }
    }
}
