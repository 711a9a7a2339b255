//! The sets that can be fetched: `sources.tsv` as data.

use anyhow::{Context, Result, bail};

/// A data set at the public address.
#[derive(Debug, Clone)]
pub(crate) struct Set {
    pub(crate) name: String,
    /// The collection it belongs to, and the folder it goes to: `uci36` or `extra`.
    pub(crate) group: String,
    /// Where it is below the address.
    pub(crate) path: String,
    /// The length of the original.
    pub(crate) bytes: u64,
    /// The SHA-256 of the original, in hexadecimal.
    pub(crate) original: String,
    /// The SHA-256 of the file as it is kept, in hexadecimal.
    pub(crate) normalised: String,
}

/// The public address and what is there.
pub(crate) struct Catalogue {
    pub(crate) address: String,
    sets: Vec<Set>,
}

impl Catalogue {
    /// The catalogue compiled into this program.
    pub(crate) fn read() -> Result<Self> {
        let mut lines = include_str!("sources.tsv").lines().filter(|line| !line.starts_with('#'));
        let address = lines.next().context("sources.tsv: no address")?.to_owned();
        // The next line names the columns.
        let sets = lines.skip(1).map(parse).collect::<Result<_>>()?;
        Ok(Self { address, sets })
    }

    /// The sets asked for by group or by name, each once, in the order of the catalogue.
    pub(crate) fn select(&self, wanted: &[String]) -> Result<Vec<&Set>> {
        for word in wanted {
            if !self.sets.iter().any(|set| set.is(word)) {
                let names: Vec<_> = self.sets.iter().map(|set| set.name.as_str()).collect();
                bail!("there is no set `{word}`; there are uci36, extra and: {}", names.join(", "));
            }
        }
        Ok(self.sets.iter().filter(|set| wanted.iter().any(|word| set.is(word))).collect())
    }
}

impl Set {
    fn is(&self, word: &str) -> bool {
        self.name == word || self.group == word
    }
}

fn parse(line: &str) -> Result<Set> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, group, path, bytes, original, normalised] = fields[..] else {
        bail!("sources.tsv: {} instead of 6 columns in: {line}", fields.len());
    };
    Ok(Set {
        name: name.into(),
        group: group.into(),
        path: path.into(),
        bytes: bytes.parse().with_context(|| format!("sources.tsv: bytes of {name}"))?,
        original: original.into(),
        normalised: normalised.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(words: &[&str]) -> Result<Vec<String>> {
        let catalogue = Catalogue::read()?;
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        Ok(catalogue.select(&words)?.into_iter().map(|set| set.name.clone()).collect())
    }

    #[test]
    fn the_catalogue_is_sound() {
        let catalogue = Catalogue::read().unwrap();
        assert!(catalogue.address.starts_with("https://"));
        for set in &catalogue.sets {
            for sum in [&set.original, &set.normalised] {
                assert!(sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit()), "{set:?}");
            }
            assert_eq!(catalogue.sets.iter().filter(|other| other.name == set.name).count(), 1, "{set:?}");
        }
    }

    #[test]
    fn groups_and_names_select_each_set_once() {
        assert_eq!(select(&["uci36"]).unwrap().len(), 36);
        assert_eq!(select(&["extra"]).unwrap().len(), 10);
        assert_eq!(select(&["uci36", "iris", "car"]).unwrap().len(), 37);
        assert_eq!(select(&["iris", "anneal"]).unwrap(), ["anneal", "iris"]);
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_list() {
        let error = select(&["iris", "irs"]).unwrap_err().to_string();
        assert!(error.contains("`irs`") && error.contains("iris, "), "{error}");
    }

    #[test]
    fn a_damaged_line_is_refused() {
        assert!(parse("iris\tuci36\tiris.arff\t10\tabc").is_err());
        assert!(parse("iris\tuci36\tiris.arff\tten\tabc\tdef").is_err());
    }
}
