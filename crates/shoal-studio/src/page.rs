//! What does the browser load?
//!
//! The page is built from `studio/` and committed in `bundle/`, so that nobody needs Node.js to build the program.

/// A file of the page, and what it is.
pub struct Asset {
    /// What it is.
    pub content_type: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

/// The file at a path.
pub fn asset(path: &str) -> Option<Asset> {
    let (content_type, bytes): (_, &[u8]) = match path {
        "/" => ("text/html; charset=utf-8", include_bytes!("../bundle/index.html")),
        "/app.js" => ("text/javascript; charset=utf-8", include_bytes!("../bundle/app.js")),
        "/app.css" => ("text/css; charset=utf-8", include_bytes!("../bundle/app.css")),
        "/icon.svg" => ("image/svg+xml", include_bytes!("../bundle/icon.svg")),
        _ => return None,
    };
    Some(Asset { content_type, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_nobody_else_for_anything() {
        let text = |path: &str| String::from_utf8(asset(path).unwrap().bytes.to_vec()).unwrap();
        let page = text("/");
        assert!(page.contains("src=\"./app.js\"") && page.contains("href=\"./app.css\""), "{page}");
        assert!(!page.contains("<style") && !page.contains("http"), "{page}");
        let style = text("/app.css");
        assert!(!style.contains("url(") && !style.contains("@import"));
        let script = text("/app.js");
        assert!(!script.contains("eval(") && !script.contains("new Function"));
        let addresses: Vec<&str> =
            script.match_indices("http").map(|(at, _)| &script[at..(at + 40).min(script.len())]).collect();
        // Namespaces of XML, and where Svelte explains its errors.
        let is_known = |address: &&str| {
            ["http://www.w3.org/", "https://svelte.dev/"].iter().any(|known| address.starts_with(known))
        };
        assert!(addresses.iter().all(|address| !address.contains("://") || is_known(address)), "{addresses:?}");
    }

    #[test]
    fn the_page_is_small() {
        let bytes: usize = ["/", "/app.js", "/app.css", "/icon.svg"]
            .iter()
            .filter_map(|path| asset(path))
            .map(|asset| asset.bytes.len())
            .sum();
        assert!(bytes < 500_000, "{bytes} bytes, before compression");
    }
}
