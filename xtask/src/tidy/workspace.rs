//! What the rules look at: the members of the workspace and the text of its files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::process::Command;

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, Package};

use crate::ci::is_published;
use crate::command::{metadata, root};

/// The text of every file that is or could be committed, by its path from the root with `/`.
pub(super) type Files = BTreeMap<String, String>;

/// All that the rules look at.
pub(super) struct Workspace {
    /// The members, in the order of their names.
    pub(super) members: Vec<Member>,
    /// The names under `[workspace.dependencies]`, without the members.
    pub(super) declared: BTreeSet<String>,
    pub(super) files: Files,
}

/// A crate of the workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Member {
    pub(super) name: String,
    /// The folder from the root, with `/`.
    pub(super) folder: String,
    pub(super) version: String,
    pub(super) description: Option<String>,
    pub(super) keywords: usize,
    pub(super) published: bool,
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency as the manifest states it.
#[derive(Debug, Clone)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// Whether only tests, examples and benchmarks see it.
    pub(super) development: bool,
    /// Whether the manifest states a version (cargo reads none as `*`).
    pub(super) versioned: bool,
}

impl Member {
    /// The path of a file of this crate.
    pub(super) fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }
}

impl Workspace {
    pub(super) fn read() -> Result<Self> {
        let members = members()?;
        let files = files()?;
        let manifest = files.get("Cargo.toml").context("git does not list Cargo.toml")?;
        let declared = declared(manifest, &members)?;
        Ok(Self { members, declared, files })
    }
}

fn members() -> Result<Vec<Member>> {
    let metadata = metadata()?;
    let root = metadata.workspace_root.as_str();
    let packages = metadata.workspace_packages();
    let mut members: Vec<_> =
        packages.into_iter().map(|package| member(package, root)).collect::<Result<_>>()?;
    members.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(members)
}

fn member(package: &Package, root: &str) -> Result<Member> {
    let folder = package.manifest_path.parent().and_then(|folder| folder.strip_prefix(root).ok());
    Ok(Member {
        name: package.name.to_string(),
        folder: folder.context("a crate outside the workspace")?.as_str().replace('\\', "/"),
        version: package.version.to_string(),
        description: package.description.clone(),
        keywords: package.keywords.len(),
        published: is_published(package),
        dependencies: package
            .dependencies
            .iter()
            .map(|dependency| Dependency {
                name: dependency.name.clone(),
                development: dependency.kind == DependencyKind::Development,
                versioned: dependency.req.to_string() != "*",
            })
            .collect(),
    })
}

fn declared(manifest: &str, members: &[Member]) -> Result<BTreeSet<String>> {
    let manifest: toml::Table = manifest.parse().context("cannot read the root Cargo.toml")?;
    let table = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let table = table.and_then(toml::Value::as_table).context("the root Cargo.toml has no dependencies")?;
    Ok(table.keys().filter(|name| !members.iter().any(|member| member.name == **name)).cloned().collect())
}

/// Committed files and those that would be: what git ignores is nobody's business.
fn files() -> Result<Files> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output =
        Command::new("git").current_dir(root()).args(arguments).output().context("tidy needs git")?;
    if !output.status.success() {
        bail!("tidy needs a git checkout: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let mut files = Files::new();
    for path in String::from_utf8_lossy(&output.stdout).split('\0').filter(|path| !path.is_empty()) {
        match std::fs::read(root().join(path)) {
            // Files that are not text have nothing for the rules.
            Ok(bytes) => drop(String::from_utf8(bytes).map(|text| files.insert(path.to_owned(), text))),
            // Deleted, and the deletion not committed yet.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).context(format!("cannot read {path}")),
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_not_among_the_declared_dependencies() {
        let manifest = "[workspace.dependencies]\nbnc-data = { path = \"x\" }\ncsv = \"1\"\n";
        let members = [Member { name: "bnc-data".into(), ..Member::default() }];
        assert_eq!(declared(manifest, &members).unwrap(), BTreeSet::from(["csv".to_owned()]));
        assert!(declared("[workspace]\n", &[]).is_err());
    }

    #[test]
    fn the_members_of_this_workspace_can_be_read() {
        let members = members().unwrap();
        let data = members.iter().find(|member| member.name == "bnc-data").unwrap();
        assert_eq!(data.folder, "crates/bnc-data");
        assert!(data.published && data.description.is_some() && data.keywords > 0);
        assert!(members.iter().any(|member| member.name == "xtask" && !member.published));
    }
}
