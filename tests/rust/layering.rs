//! Which module may import which: a module names only modules of its own level or below, and there are no circles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::ROOT;

/// Each part of the crate and its level. A file belongs to the longest prefix that fits its path.
const LEVELS: &[(&str, u8)] = &[
    // What another crate has is below all of these.
    ("api", 0),
    ("evidence", 0),
    ("drivers", 0),
    ("few", 0),
    ("page", 0),
    ("typed", 1),
    ("launchpad", 1),
    ("recording", 2),
    ("launchpad/quote", 2),
    ("launchpad/bundle", 2),
    ("launchpad/goal", 2),
    ("launchpad/plan", 2),
    ("launchpad/request", 2),
    ("launchpad/receipt", 2),
    ("launchpad/position", 2),
    ("launchpad/batch", 2),
    ("launchpad/dry_run", 2),
    ("launchpad/market_settings", 2),
    ("launchpad/view", 2),
    ("launchpad/curve_view", 2),
    ("render", 3),
    ("chain", 4),
    ("trade", 4),
    ("strategy", 4),
    ("market", 5),
    ("bindings", 6),
    ("prelude", 6),
];

/// On the same level, but they may not use each other.
const SEPARATE: &[&str] = &["chain", "trade", "strategy"];

/// The crates, each with what stands before its modules' names here: the sources of the one that `LEVELS` is about have none.
const CRATES: [(&str, &str); 7] = [
    ("src", ""),
    ("crates/api/src", "api"),
    ("crates/client/src", "client"),
    ("crates/gateway/src", "gateway"),
    ("crates/record/src", "record"),
    ("crates/sandbox/src", "sandbox"),
    ("pkg/wasm/src", ""),
];

fn level(path: &str) -> Option<u8> {
    let fits = |part: &str| path == part || path.starts_with(&format!("{part}/"));
    LEVELS.iter().filter(|(part, _)| fits(part)).max_by_key(|(part, _)| part.len()).map(|(_, level)| *level)
}

/// The files with this extension in a folder and the folders below it, but for packages of others.
pub fn sources(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("node_modules") {
            sources(&path, extension, files);
        } else if path.extension().is_some_and(|own| own == extension) {
            files.push(path);
        }
    }
}

/// The modules of a crate, and the text of each; `trade/mod.rs` is the module `trade`. The front page of a crate without a name here only
/// lists its children.
fn modules(folder: &str, name: &str) -> BTreeMap<String, String> {
    let root = Path::new(ROOT).join(folder);
    let mut files = Vec::new();
    sources(&root, "rs", &mut files);
    let named = files.into_iter().map(|file| {
        let relative = file.strip_prefix(&root).unwrap().with_extension("");
        let path = relative.to_string_lossy().replace('\\', "/");
        let path = path.strip_suffix("/mod").unwrap_or(&path);
        let module = if path == "lib" { name.to_owned() } else { below(name, path) };
        (module, fs::read_to_string(file).unwrap())
    });
    let mut modules: BTreeMap<_, _> = named.collect();
    assert!(modules.contains_key(name), "{folder}");
    modules.remove("");
    modules
}

fn below(module: &str, path: &str) -> String {
    if module.is_empty() { path.to_owned() } else { format!("{module}/{path}") }
}

/// A module's code, comments and tests left out.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    // What is passed on inside the crate is passed on, too.
    lines.collect::<Vec<_>>().join("\n").replace("pub(crate) use ", "pub use ")
}

/// Every `crate::a::b` and `super::b` in the code of a module, as paths below the root of its crate.
fn imports(root: &str, module: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let mut found = Vec::new();
    for (start, base) in [("crate::", root), ("super::", parent(module))] {
        for (at, _) in code.match_indices(start) {
            // A `super` that is not the first of its path is the first one's to follow.
            if !code[..at]
                .ends_with(|before: char| before == ':' || before == '_' || before.is_alphanumeric())
            {
                follow(base, &code[at + start.len()..], &mut found);
            }
        }
    }
    found
}

/// The paths, down to the item, that a `use` tree has below `base`: one parent up for each `super`, each name of a group on
/// its own.
fn follow(base: &str, tree: &str, found: &mut Vec<String>) {
    let tree = tree.trim_start();
    if let Some(group) = tree.strip_prefix('{') {
        branches(group).into_iter().for_each(|branch| follow(base, branch, found));
        return;
    }
    let end = tree.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(tree.len());
    let path = match &tree[..end] {
        "super" => parent(base).to_owned(),
        // `*` is what the module itself has.
        "" | "self" => base.to_owned(),
        name if base.is_empty() => name.to_owned(),
        name => format!("{base}/{name}"),
    };
    match tree[end..].strip_prefix("::") {
        Some(rest) => follow(&path, rest, found),
        // `crate::record` alone is a macro: nobody names the module of that name without an item of it.
        None if path == "record" => {}
        None => found.push(path),
    }
}

/// What stands between the commas of a group whose opening brace has been read.
fn branches(group: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                found.push(&group[from..at]);
                from = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found.retain(|branch| !branch.trim().is_empty());
    found
}

fn parent(module: &str) -> &str {
    module.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The top module that a path belongs to.
fn top(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// What is wrong with this import; `tops` are the names of all top modules.
fn breach(module: &str, import: &str, tops: &BTreeSet<&str>) -> Option<String> {
    let own = level(module).unwrap_or_else(|| panic!("{module} has no level"));
    let Some(theirs) = level(import) else {
        // Anything else is a macro or a function of the crate.
        return tops.contains(top(import)).then(|| format!("{module} imports {import}, which has no level"));
    };
    let (other, own_top) = (top(import), top(module));
    let separate =
        other != own_top && own == theirs && SEPARATE.contains(&other) && SEPARATE.contains(&own_top);
    let within = other == own_top && own_top != "launchpad";
    let wrong = separate || (theirs > own && !within);
    wrong.then(|| format!("{module} (level {own}) imports {import} (level {theirs})"))
}

#[test]
fn modules_import_only_what_lies_below_them() {
    let modules = modules("src", "");
    let tops = modules.keys().map(|module| top(module)).collect();
    let found = imports("", "api/encode", "use super::super::trade;");
    assert!(found.iter().any(|import| breach("api/encode", import, &tops).is_some()), "{found:?}");
    let mut breaches = Vec::new();
    let mut checked = 0;
    for (module, text) in &modules {
        for import in imports("", module, text) {
            checked += usize::from(level(&import).is_some());
            breaches.extend(breach(module, &import, &tops));
        }
    }
    assert!(checked > 50, "only {checked} imports were found: the test reads them wrongly");
    assert_eq!(breaches, Vec::<String>::new());
}

/// What `pub use child::…` in a module re-exports: each name, and the child it comes from.
fn passed_on(module: &str, code: &str) -> BTreeMap<String, String> {
    let mut passed = BTreeMap::new();
    for (at, start) in code.match_indices("pub use ") {
        let mut paths = Vec::new();
        follow(module, &code[at + start.len()..], &mut paths);
        for path in paths {
            passed.insert(path.rsplit('/').next().unwrap_or_default().to_owned(), parent(&path).to_owned());
        }
    }
    passed
}

/// Which module each module needs. A module that only re-exports a name does not need the one it comes from; a module that uses
/// the name does.
fn needs<'m>(root: &str, modules: &'m BTreeMap<String, String>) -> BTreeMap<&'m str, BTreeSet<String>> {
    let passed =
        |module: &str| modules.get(module).map(|text| passed_on(module, &code(text))).unwrap_or_default();
    let owner = |import: &str| {
        let mut module = import;
        while !modules.contains_key(module) {
            module = parent(module);
            if module.is_empty() {
                return None;
            }
        }
        let name = import[module.len()..].trim_start_matches('/').split('/').next().unwrap_or_default();
        Some(passed(module).remove(name).unwrap_or_else(|| module.to_owned()))
    };
    let mut needs = BTreeMap::new();
    for (module, text) in modules {
        let mut needed: BTreeSet<String> =
            imports(root, module, text).iter().filter_map(|import| owner(import)).collect();
        needed.extend(own_children(module, &code(text), modules));
        needed.remove(module);
        needs.insert(module.as_str(), needed);
    }
    needs
}

/// The children that a module's own code names, other than to pass a name of theirs on.
fn own_children(module: &str, code: &str, modules: &BTreeMap<String, String>) -> Vec<String> {
    let lines = code.lines().filter(|line| !line.starts_with("mod ") && !line.starts_with("pub mod "));
    let code_of_its_own = lines.collect::<Vec<_>>().join("\n");
    let statements = code_of_its_own.split(';').map(|text| text.split("pub use ").next().unwrap_or_default());
    let own = statements.collect::<Vec<_>>().join(";");
    // `Number` may be a type of a child's; in `Data::Number` and in `enum Data { Number }` it is not.
    let mut parts = own.split("enum ");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once('}').map_or("", |(_, rest)| rest));
    let text = [first].into_iter().chain(rest).collect::<Vec<_>>().join(" ");
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let words: BTreeSet<&str> = words.map(|word| word.trim_end_matches(':')).collect();
    let taken = passed_on(module, code).into_iter().filter(|(name, _)| words.contains(name.as_str()));
    let named = modules.keys().filter(|child| {
        let name = child.strip_prefix(module).and_then(|rest| rest.strip_prefix('/'));
        name.is_some_and(|name| own.contains(&format!("{name}::")))
    });
    named.cloned().chain(taken.map(|(_, child)| child)).collect()
}

/// The shortest way from a module back to itself.
fn circle(module: &str, needs: &BTreeMap<&str, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![module.to_owned()]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in way.last().and_then(|last| needs.get(last.as_str())).into_iter().flatten() {
                let way: Vec<_> = way.iter().chain([next]).cloned().collect();
                if next == module {
                    return Some(way);
                }
                if seen.insert(next) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

fn circles(root: &str, modules: &BTreeMap<String, String>) -> Vec<String> {
    let needs = needs(root, modules);
    needs.keys().filter_map(|module| circle(module, &needs)).map(|way| way.join(" → ")).collect()
}

#[test]
fn no_module_needs_itself_in_a_circle() {
    let two =
        [("a", "use crate::b::B;"), ("b", "use super::a::A;")].map(|(name, text)| (name.into(), text.into()));
    assert_eq!(circles("", &two.into()), ["a → b → a", "b → a → b"]);
    for (folder, name) in CRATES {
        let mut modules = modules(folder, name);
        // A seam passes on what others of its crate have.
        modules.remove(&below(name, "bindings"));
        assert_eq!(circles(name, &modules), Vec::<String>::new(), "{folder}");
    }
}

/// A file that no module names is compiled by nobody, so its tests would pass unrun.
#[test]
fn every_file_of_rust_tests_is_a_module_of_the_one_binary() {
    let tests = Path::new(ROOT).join("tests");
    let others = fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path());
    let others = others.filter(|path| path.extension().is_some_and(|own| own == "rs"));
    // For browsers.
    let others: Vec<_> = others.filter(|path| !path.ends_with("web.rs")).collect();
    assert_eq!(others, Vec::<PathBuf>::new(), "move these to tests/rust");
    let mut files = Vec::new();
    sources(&tests.join("rust"), "rs", &mut files);
    assert!(files.len() > 40, "only {} files were found", files.len());
    for file in files.iter().filter(|file| !file.ends_with("rust/main.rs")) {
        let module = if file.ends_with("mod.rs") {
            file.parent().unwrap().to_owned()
        } else {
            file.with_extension("")
        };
        let folder = module.parent().unwrap();
        let front = folder.join(if folder.ends_with("tests/rust") { "main.rs" } else { "mod.rs" });
        let line = format!("mod {};", module.file_name().unwrap().to_str().unwrap());
        let named = fs::read_to_string(&front).unwrap().lines().any(|text| text == line);
        assert!(named, "{} lacks `{line}`", front.display());
    }
}

/// The append-only enums that a program decides by, case by case: a new case has to stop its compiler.
const DECIDED_BY: [&str; 2] = ["IntentState", "IntentOutcome"];

#[test]
fn an_enum_that_may_grow_tells_the_compiler() {
    let mut growing = 0;
    for (folder, _) in CRATES {
        let mut files = Vec::new();
        sources(&Path::new(ROOT).join(folder), "rs", &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for declared in text.split("codes! {\n").skip(1) {
                let head = declared.split_once(" {\n").map_or(declared, |(head, _)| head);
                let is_decided_by = DECIDED_BY.iter().any(|name| head.ends_with(name));
                if head.contains("Append-only") && !is_decided_by {
                    assert!(head.contains("#[non_exhaustive]"), "{}: {head}", file.display());
                    growing += 1;
                }
            }
        }
    }
    assert!(growing > 15, "{growing}");
}
