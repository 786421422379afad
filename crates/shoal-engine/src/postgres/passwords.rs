//! Which password does `.pgpass` have for a user of a database?

use std::path::PathBuf;

/// What a line of the file is looked up by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Login<'a> {
    pub(super) host: &'a str,
    pub(super) port: u16,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
}

/// The file: what PGPASSFILE names, or `.pgpass` at home.
pub(super) fn file() -> Option<PathBuf> {
    match std::env::var_os("PGPASSFILE") {
        Some(path) => Some(path.into()),
        None => Some(PathBuf::from(std::env::var_os("HOME")?).join(".pgpass")),
    }
}

/// The password in the text of such a file, if it has one: the first line that fits.
pub(super) fn password(text: &str, login: Login<'_>) -> Option<String> {
    let port = login.port.to_string();
    let wanted = [login.host, &port, login.database, login.user];
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = split(line);
        let (password, keys) = fields.split_last()?;
        let fits = |(key, wanted): (&String, &&str)| key == "*" || key == wanted;
        (keys.len() == wanted.len() && keys.iter().zip(&wanted).all(fits)).then(|| password.clone())
    })
}

/// The fields of a line: colons separate them, and a backslash takes the meaning from what follows.
fn split(line: &str) -> Vec<String> {
    let (mut fields, mut characters) = (vec![String::new()], line.chars());
    while let Some(character) = characters.next() {
        match character {
            // A colon in a password need not be escaped: it is the last field.
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => {
                fields.iter_mut().last().zip(characters.next()).into_iter().for_each(|(field, next)| field.push(next))
            }
            other => fields.iter_mut().last().into_iter().for_each(|field| field.push(other)),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGIN: Login<'static> = Login { host: "db", port: 5432, database: "clinic", user: "ann" };

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text = "# a remark\ndb:5433:clinic:ann:wrong port\n*:*:clinic:ann:right\ndb:5432:clinic:ann:too late\n";
        assert_eq!(password(text, LOGIN).as_deref(), Some("right"));
        assert_eq!(password("db:5432:clinic:bob:x\n", LOGIN), None);
        assert_eq!(password("db:5432:ann:x\n", LOGIN), None, "a field is missing");
    }

    #[test]
    fn escapes_are_taken_off() {
        assert_eq!(password("db:5432:clinic:ann:a\\:b\\\\c", LOGIN).as_deref(), Some("a:b\\c"));
        assert_eq!(password("d\\b:5432:clinic:ann:x", LOGIN).as_deref(), Some("x"));
    }
}
