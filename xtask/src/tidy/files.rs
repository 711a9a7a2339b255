//! The files that every published crate has.

use super::Violation;
use super::workspace::{Files, Member};

/// Checks README, changelog, licence and the manifest's own words.
pub(super) fn check(members: &[Member], files: &Files) -> Vec<Violation> {
    let mut violations = Vec::new();
    let licence = files.get("LICENSE");
    if licence.is_none() {
        violations.push(Violation::new("LICENSE", "licence", "write the licence of the workspace"));
    }
    for member in members.iter().filter(|member| member.published) {
        let mut report =
            |name: &str, rule, remedy: &str| violations.push(Violation::new(member.file(name), rule, remedy));
        if member.description.as_deref().is_none_or(|text| text.trim().is_empty()) {
            report("Cargo.toml", "manifest", "describe the crate in one sentence (description)");
        }
        if member.keywords == 0 {
            report("Cargo.toml", "manifest", "name keywords (keywords.workspace = true)");
        }
        if files.get(&member.file("README.md")).is_none_or(|text| text.trim().is_empty()) {
            report("README.md", "readme", "write what the crate is and an example");
        }
        if files.get(&member.file("LICENSE")) != licence {
            report("LICENSE", "licence", "copy the root LICENSE: a package holds only its own folder");
        }
        let entry = format!("## [{}]", member.version);
        let changelog = files.get(&member.file("CHANGELOG.md"));
        if !changelog.is_some_and(|text| text.lines().any(|line| line.starts_with(&entry))) {
            report(
                "CHANGELOG.md",
                "changelog",
                &format!("add an entry `{entry}`: the manifest states this version"),
            );
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> (Member, Files) {
        let member = Member {
            name: "bnc-a".into(),
            folder: "crates/bnc-a".into(),
            version: "0.2.0".into(),
            description: Some("What it is.".into()),
            keywords: 1,
            published: true,
            dependencies: vec![],
        };
        let files = [
            ("LICENSE", "MIT"),
            ("crates/bnc-a/LICENSE", "MIT"),
            ("crates/bnc-a/README.md", "# bnc-a"),
            ("crates/bnc-a/CHANGELOG.md", "# Changelog\n\n## [0.2.0] - unreleased\n"),
        ];
        (member, files.map(|(path, text)| (path.to_owned(), text.to_owned())).into())
    }

    fn rules(member: Member, files: &Files) -> Vec<&'static str> {
        check(&[member], files).into_iter().map(|violation| violation.rule).collect()
    }

    #[test]
    fn a_sound_crate_passes() {
        let (member, files) = sound();
        assert_eq!(rules(member, &files), [""; 0]);
    }

    #[test]
    fn each_missing_file_is_found() {
        for (path, rule) in [("README.md", "readme"), ("LICENSE", "licence"), ("CHANGELOG.md", "changelog")] {
            let (member, mut files) = sound();
            files.remove(&member.file(path));
            assert_eq!(rules(member, &files), [rule]);
        }
        let (member, mut files) = sound();
        files.remove("LICENSE");
        assert_eq!(rules(member, &files), ["licence", "licence"]);
    }

    #[test]
    fn another_licence_or_version_is_found() {
        let (member, mut files) = sound();
        files.insert(member.file("LICENSE"), "MIT, changed".into());
        assert_eq!(rules(member, &files), ["licence"]);
        let (member, files) = sound();
        assert_eq!(rules(Member { version: "0.2.1".into(), ..member }, &files), ["changelog"]);
    }

    #[test]
    fn an_undescribed_manifest_is_found() {
        let (member, files) = sound();
        assert_eq!(
            rules(Member { description: None, keywords: 0, ..member }, &files),
            ["manifest", "manifest"]
        );
    }

    #[test]
    fn a_crate_that_is_not_published_needs_none_of_it() {
        let (member, _) = sound();
        let files = Files::from([("LICENSE".to_owned(), "MIT".to_owned())]);
        assert_eq!(rules(Member { published: false, ..member }, &files), [""; 0]);
    }
}
