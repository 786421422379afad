//! Whose requests are answered, and what may a browser do with the answers?
//!
//! Whoever is on this machine can reach a port of loopback, and every page that its browser shows can send requests there. So a request must
//! come with a cookie that only the address printed in the terminal gives, must be addressed to loopback by its own name (a name
//! that somebody else's server of names gave to 127.0.0.1 is refused), and must come from the studio's own page. Cookies know no ports: a
//! browser would send this one to every other server of loopback that it visits, and take another one from it. So all of the studio stands
//! under a path that nobody can guess, and the cookie is for that path alone.

use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Request, Response, StatusCode};
use sha2::{Digest, Sha256};
use std::sync::Mutex;

/// What the page may do: show what the server gives, and ask the server. No other address, no inline code, no frame around it.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                              base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the cookie is called.
const COOKIE: &str = "shoal-studio";

/// What everybody has to show to be let in.
pub struct Guard {
    port: u16,
    /// Stands in the address that is printed.
    printed: String,
    /// Stands in the address that a browser is opened with: others may see the arguments of a program, so it works once.
    once: Mutex<Option<String>>,
    /// What the cookie says.
    cookie: String,
    /// The path under which everything stands; it lets nobody in by itself.
    place: String,
}

/// What to do with a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Answer it.
    Welcome,
    /// It has shown a token: give it the cookie, and let it come again without.
    GiveCookie,
    /// Refuse it, for this reason.
    Refuse(StatusCode, &'static str),
}

impl Guard {
    /// New secrets for a port.
    pub fn new(port: u16) -> std::io::Result<Self> {
        Ok(Self {
            port,
            printed: secret()?,
            once: Mutex::new(Some(secret()?)),
            cookie: secret()?,
            place: format!("/{}", secret()?),
        })
    }

    /// The address for whoever started the studio.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.printed)
    }

    /// The address for a browser that is opened, which works once.
    pub fn address_for_once(&self) -> String {
        let once = self.once.lock().map(|once| once.clone()).unwrap_or_default();
        format!("http://127.0.0.1:{}/?token={}", self.port, once.unwrap_or_default())
    }

    /// Where everything stands.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is to be done with a request.
    pub fn judge(&self, request: &Request<Body>) -> Verdict {
        let headers = request.headers();
        if !self.is_for_us(headers) {
            return Verdict::Refuse(StatusCode::MISDIRECTED_REQUEST, "this address is not the studio's");
        }
        if !self.is_from_us(request.method(), headers) {
            return Verdict::Refuse(StatusCode::FORBIDDEN, "another page sent this request");
        }
        if request.uri().path() == "/" && self.has_token(request.uri().query()) {
            return Verdict::GiveCookie;
        }
        match self.is_in_place(request.uri().path()) && self.has_cookie(headers) {
            true => Verdict::Welcome,
            false => Verdict::Refuse(
                StatusCode::UNAUTHORIZED,
                "open the studio by the address that it printed in the terminal; after a restart, that is a new one",
            ),
        }
    }

    /// The header that gives the cookie.
    pub fn cookie(&self) -> String {
        format!("{COOKIE}={}; Path={}/; HttpOnly; SameSite=Strict", self.cookie, self.place)
    }

    fn is_in_place(&self, path: &str) -> bool {
        path.strip_prefix(&self.place).is_some_and(|rest| rest.starts_with('/'))
    }

    fn names(&self) -> [String; 2] {
        [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)]
    }

    fn is_for_us(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        hosts.next().is_none() && host.is_some_and(|host| self.names().iter().any(|name| name == host))
    }

    /// Does our own page send it? Browsers say where a request that changes something comes from.
    fn is_from_us(&self, method: &Method, headers: &HeaderMap) -> bool {
        let is_ours = |origin: &HeaderValue| {
            self.names().iter().any(|name| origin.as_bytes() == format!("http://{name}").as_bytes())
        };
        let origin = match headers.get(header::ORIGIN) {
            Some(origin) => is_ours(origin),
            None => method == Method::GET,
        };
        let site = HeaderName::from_static("sec-fetch-site");
        origin && headers.get(site).is_none_or(|site| site == "same-origin" || site == "none")
    }

    fn has_token(&self, query: Option<&str>) -> bool {
        let Some(token) = query.and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("token="))) else {
            return false;
        };
        if is_same(token, &self.printed) {
            return true;
        }
        let Ok(mut once) = self.once.lock() else { return false };
        let is_once = once.as_deref().is_some_and(|once| is_same(token, once));
        if is_once {
            *once = None;
        }
        is_once
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut values =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        values.any(|(name, value)| name == COOKIE && is_same(value, &self.cookie))
    }
}

/// Compares hashes, so that the time it takes tells nothing about the secret.
fn is_same(one: &str, other: &str) -> bool {
    Sha256::digest(one.as_bytes()) == Sha256::digest(other.as_bytes())
}

fn secret() -> std::io::Result<String> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What every answer says about itself.
pub fn protect(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    let mut say = |name: &'static str, value: &'static str| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    };
    say("content-security-policy", CONTENT_POLICY);
    say("x-content-type-options", "nosniff");
    say("referrer-policy", "no-referrer");
    say("cross-origin-opener-policy", "same-origin");
    say("cross-origin-resource-policy", "same-origin");
    say("x-frame-options", "DENY");
    say("cache-control", "no-store");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new(7001).unwrap()
    }

    fn request(method: &str, uri: &str, headers: &[(&str, &str)]) -> Request<Body> {
        let builder = Request::builder().method(method).uri(uri);
        let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
        builder.body(Body::empty()).unwrap()
    }

    fn cookie(guard: &Guard) -> String {
        guard.cookie().split(';').next().unwrap().to_owned()
    }

    fn at(guard: &Guard, path: &str) -> String {
        format!("{}{path}", guard.place())
    }

    fn is_refused(guard: &Guard, method: &str, uri: &str, headers: &[(&str, &str)]) -> bool {
        matches!(guard.judge(&request(method, uri, headers)), Verdict::Refuse(..))
    }

    #[test]
    fn the_printed_address_gives_a_cookie_and_the_cookie_lets_in() {
        let guard = guard();
        let token = guard.address().split_once('/').map(|_| guard.address()).unwrap();
        let path = token.split_once("7001").unwrap().1.to_owned();
        for _ in 0..2 {
            assert_eq!(guard.judge(&request("GET", &path, &[("host", "127.0.0.1:7001")])), Verdict::GiveCookie);
        }
        let headers = [("host", "localhost:7001"), ("cookie", &cookie(&guard))];
        assert_eq!(guard.judge(&request("GET", &at(&guard, "/api/desk"), &headers)), Verdict::Welcome);
        assert!(guard.cookie().ends_with(&format!("; Path={}/; HttpOnly; SameSite=Strict", guard.place())));
    }

    #[test]
    fn the_address_of_an_opened_browser_works_once() {
        let guard = guard();
        let path = guard.address_for_once().split_once("7001").unwrap().1.to_owned();
        assert_eq!(guard.judge(&request("GET", &path, &[("host", "127.0.0.1:7001")])), Verdict::GiveCookie);
        assert!(is_refused(&guard, "GET", &path, &[("host", "127.0.0.1:7001")]));
        assert!(is_refused(&guard, "GET", "/?token=", &[("host", "127.0.0.1:7001")]));
    }

    #[test]
    fn without_token_or_cookie_nothing_is_answered() {
        let guard = guard();
        let host = ("host", "127.0.0.1:7001");
        for uri in ["/", "/api/desk", "/app.js", "/?token=0", "/?token=", "/api/desk?token=0"] {
            assert!(is_refused(&guard, "GET", uri, &[host]), "{uri}");
            assert!(is_refused(&guard, "GET", &at(&guard, uri), &[host]), "{uri}");
        }
        let wrong = cookie(&guard).replace(|digit: char| digit.is_ascii_hexdigit(), "0");
        assert!(is_refused(&guard, "GET", &at(&guard, "/api/desk"), &[host, ("cookie", &wrong)]));
        let other = cookie(&guard).replace("shoal-studio", "shoal");
        assert!(is_refused(&guard, "GET", &at(&guard, "/api/desk"), &[host, ("cookie", &other)]));
        // The token counts at the door only.
        let token = guard.address().split_once("/?").unwrap().1.to_owned();
        assert!(is_refused(&guard, "GET", &at(&guard, &format!("/api/desk?{token}")), &[host]));
    }

    /// Whatever a browser sends there, other servers of loopback and their pages know neither the path nor the cookie.
    #[test]
    fn the_cookie_is_for_a_path_that_nobody_can_guess() {
        let (guard, other) = (guard(), guard());
        assert!(guard.place() != other.place() && guard.place().len() == 65, "{}", guard.place());
        assert!(!guard.address().contains(guard.place()));
        let cookie = cookie(&guard);
        let headers = [("host", "127.0.0.1:7001"), ("cookie", &*cookie)];
        let beside = format!("{}x/api/desk", guard.place());
        for path in ["/", "/api/desk", "/app.js", guard.place(), &beside, &at(&other, "/api/desk")] {
            assert!(is_refused(&guard, "GET", path, &headers), "{path}");
        }
        assert_eq!(guard.judge(&request("GET", &at(&guard, "/"), &headers)), Verdict::Welcome);
    }

    #[test]
    fn a_name_that_somebody_else_gave_to_loopback_is_refused() {
        let guard = guard();
        let cookie = cookie(&guard);
        for host in
            ["evil.example:7001", "127.0.0.1", "127.0.0.1:7002", "localhost.evil.example:7001", "[::1]:7001", ""]
        {
            assert!(
                is_refused(&guard, "GET", &at(&guard, "/api/desk"), &[("host", host), ("cookie", &cookie)]),
                "{host}"
            );
        }
        assert!(is_refused(&guard, "GET", &at(&guard, "/api/desk"), &[("cookie", &cookie)]));
        let two = [("host", "127.0.0.1:7001"), ("host", "evil.example"), ("cookie", &cookie)];
        assert!(is_refused(&guard, "GET", &at(&guard, "/api/desk"), &two));
    }

    #[test]
    fn requests_of_other_pages_are_refused() {
        let guard = guard();
        let (host, cookie) = (("host", "127.0.0.1:7001"), cookie(&guard));
        let cookie = ("cookie", cookie.as_str());
        let ours = ("origin", "http://127.0.0.1:7001");
        assert_eq!(guard.judge(&request("POST", &at(&guard, "/api/edit"), &[host, cookie, ours])), Verdict::Welcome);
        for origin in ["http://evil.example", "null", "https://127.0.0.1:7001", "http://127.0.0.1:7002", ""] {
            assert!(
                is_refused(&guard, "POST", &at(&guard, "/api/edit"), &[host, cookie, ("origin", origin)]),
                "{origin}"
            );
            assert!(
                is_refused(&guard, "GET", &at(&guard, "/api/desk"), &[host, cookie, ("origin", origin)]),
                "{origin}"
            );
        }
        // Whoever changes something says where they are.
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            assert!(is_refused(&guard, method, &at(&guard, "/api/edit"), &[host, cookie]), "{method}");
        }
        for site in ["cross-site", "same-site"] {
            assert!(
                is_refused(&guard, "GET", &at(&guard, "/api/rows"), &[host, cookie, ("sec-fetch-site", site)]),
                "{site}"
            );
        }
        assert_eq!(
            guard.judge(&request("GET", &at(&guard, "/"), &[host, cookie, ("sec-fetch-site", "none")])),
            Verdict::Welcome
        );
    }

    #[test]
    fn answers_forbid_everything_else() {
        let headers = protect(Response::new(Body::empty())).headers().clone();
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("http"),
            "{policy}"
        );
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["cache-control"], "no-store");
        assert!(!headers.contains_key("access-control-allow-origin"));
    }
}
