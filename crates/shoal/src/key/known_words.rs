//! How briefly can a key be described by somebody who knows the words that people put into keys?
//!
//! A key is a row of words, years, beginnings of well-known numbers and hashes, and single characters. Each has a code, none of which is the
//! beginning of another, so that a row of them that is as long as the key tells nothing but that key: two to the power of minus the length of
//! the shortest description of each key adds up to no more than one over all keys of a length (Kraft's inequality), as probabilities do.

/// Words of keys, in small letters.
const WORDS: &str = "\
    0ff1ce 1337 5eed add admin alex amnesia amsterdam amt and andreas anna anonym anonymize anonymous april arx august \
    autumn b00b b16b00b5 ba5eba11 babe backup bad badc0de bank basel batman battery bed beef berlin bern big boston brown \
    c0de c0ffee cab cafe cafebabe care case change changeme charite chicago christian city clinic cloud code coffee cohort \
    company copenhagen correct d00d dad daniel data database dataset daten david dead deadbeef deadc0de deaf decade \
    december default defec8ed demo department dev dezember do doctor dont dragon dublin example f00d facade face fade \
    februar february fee feed feedface fischer food football for forschung friday from fruehling geheim gesundheit github \
    google hamburg hash health heidelberg hello helsinki herbst hmac horse hospital identifier iloveyou institut institute \
    insurance is james januar january john johnson jones juli julia july june juni key klinik klinikum koeln krankenhaus \
    laura letmein linux lisbon login london long love madrid maerz mai main march maria martin mary master max may medical \
    medicine meyer michael milano monday monkey mueller muenchen munich my name names never new not november nurse october \
    office oktober old one only open oslo our pandas paris pass passwd password passwort patient patienten patients paul \
    people pepper person personal peter phrase pin please prague princess privacy private prod production project projekt \
    pseudonym pseudonymisierung pseudonymization pseudonyms public pwd python random record records register registry \
    release research robert roma rome root rust safe salt sample sarah saturday schluessel schmidt schneider school sdc \
    secret secure security september server sesame share shoal smith sommer spring stadt staple state statistics statistik \
    stefan stockholm string strong studie study summer sunday sunshine super superman survey sydney table test testing \
    that the this thomas three thursday token top toronto trial trustno tuesday two ubuntu uni universitaet university use \
    user value very vienna ward warsaw weber wednesday welcome wien williams windows winter with word words world york \
    your zuerich \
";

/// Numbers and hashes that many know, in hexadecimal digits.
const CONSTANTS: &[&str] = &[
    // pi
    "3141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067",
    // e
    "2718281828459045235360287471352662497757247093699959574966967627724076630353547594571382178525166427",
    // phi
    "1618033988749894848204586834365638117720309179805762862135448622705260462818902449707207204189391137",
    // sqrt2
    "1414213562373095048801688724209698078569671875376948073176679737990732478462107038850387534327641572",
    // pi_hex
    "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf34e90c6c",
    // md5('')
    "d41d8cd98f00b204e9800998ecf8427e",
    // md5('password')
    "5f4dcc3b5aa765d61d8327deb882cf99",
    // md5('secret')
    "5ebe2294ecd0e0f08eab7690d2a6ee69",
    // md5('test')
    "098f6bcd4621d373cade4e832627b4f6",
    // md5('hello')
    "5d41402abc4b2a76b9719d911017c592",
    // md5('admin')
    "21232f297a57a5a743894a0e4a801fc3",
    // md5('key')
    "3c6e0b8a9c15224a8228b9a98ca1531d",
    // md5('a')
    "0cc175b9c0f1b6a831c399e269772661",
    // md5('0')
    "cfcd208495d565ef66e7dff9f98764da",
    // sha1('')
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    // sha1('password')
    "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8",
    // sha1('secret')
    "e5e9fa1ba31ecd1ae84f75caaa474f3a663f05f4",
    // sha1('test')
    "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
    // sha1('hello')
    "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
    // sha1('admin')
    "d033e22ae348aeb5660fc2140aec35850c4da997",
    // sha1('key')
    "a62f2225bf70bfaccbc7f1ef2a397836717377de",
    // sha1('a')
    "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
    // sha1('0')
    "b6589fc6ab0dc82cf12099d1c2d40ab994e8410c",
    // sha256('')
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    // sha256('password')
    "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
    // sha256('secret')
    "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
    // sha256('test')
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    // sha256('hello')
    "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    // sha256('admin')
    "8c6976e5b5410415bde908bd4dee15dfb167a9c873fc4bb8a81f6f2ab448a918",
    // sha256('key')
    "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683",
    // sha256('a')
    "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
    // sha256('0')
    "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
    // sha512('')
    "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    // sha512('password')
    "b109f3bbbc244eb82441917ed06d618b9008dd09b3befd1b5e07394c706a8bb980b1d7785e5976ec049b46df5f1326af5a2ea6d103fd07c95385ffab0cacbc86",
    // sha512('secret')
    "bd2b1aaf7ef4f09be9f52ce2d8d599674d81aa9d6a4421696dc4d93dd0619d682ce56b4d64a9ef097761ced99e0f67265b5f76085e5b0ee7ca4696b2ad6fe2b2",
    // sha512('test')
    "ee26b0dd4af7e749aa1a8ee3c10ae9923f618980772e473f8819a5d4940e0db27ac185f8a0e1d5f84f88bc887fd67b143732c304cc5fa9ad8e6f57f50028a8ff",
    // sha512('hello')
    "9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043",
    // sha512('admin')
    "c7ad44cbad762a5da0a452f9e854fdc1e0e7a52a38015f23f3eab1d80b931dd472634dfac71cd34ebc35d16ab7fb8a90c81f975113d6c7538dc69dd8de9077ec",
    // sha512('key')
    "8335fa56d487562de248f47befc72743334051ddffcc2c09275f665454990317594745ee17c08f798cd7dce0ba8155dcda14f6398c1d1545116520a133017c09",
    // sha512('a')
    "1f40fc92da241694750979ee6cf582f2d5d7d28e18335de05abc54d0560e0f5302860c652bf08d560252aa5e74210546f369fbbbce8c12cfc7957b2652fe9a75",
    // sha512('0')
    "31bca02094eb78126a517b206a88c73cfa9ec6f704c7030d18212cace820f025f00bf0ea68dbf3f3a5436ca63b53bf7bf80ad8d5de7d8359d0b7fed9dbc3ab99",
];

/// How words are written: in small letters, with a capital, in capitals.
const CASES: f64 = 3.0;
const YEARS: std::ops::Range<u16> = 1900..2100;
/// As many beginnings of a constant as it has digits, and at most so many.
const MOST_DIGITS: f64 = 128.0;

/// How likely each kind of part is: a word, a year, a constant, and any character.
const WORD: f64 = 0.4;
const YEAR: f64 = 0.05;
const CONSTANT: f64 = 0.05;
const CHARACTER: f64 = 0.5;

/// The bits of the shortest description of a key; `character` says how likely a character is after those before it, if it stands for itself.
pub(super) fn bits(key: &[u8], character: impl Fn(&[u8], usize) -> f64) -> f64 {
    bits_with(&WORDS.split_whitespace().map(str::as_bytes).collect::<Vec<_>>(), key, character)
}

fn bits_with(words: &[&[u8]], key: &[u8], character: impl Fn(&[u8], usize) -> f64) -> f64 {
    let of_word = -(WORD / words.len() as f64 / CASES).log2();
    let of_year = -(YEAR / YEARS.len() as f64).log2();
    let of_constant = -(CONSTANT / CONSTANTS.len() as f64 / MOST_DIGITS).log2();
    let mut least = vec![f64::INFINITY; key.len() + 1];
    least[0] = 0.0;
    for at in 0..key.len() {
        let (rest, so_far) = (&key[at..], least[at]);
        let mut goes_on = |length: usize, bits: f64| least[at + length] = least[at + length].min(so_far + bits);
        goes_on(1, -(CHARACTER * character(key, at)).log2());
        words.iter().filter(|word| is_written(word, rest)).for_each(|word| goes_on(word.len(), of_word));
        let year = rest.get(..4).and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<u16>().ok());
        if year.is_some_and(|year| YEARS.contains(&year)) {
            goes_on(4, of_year);
        }
        for constant in CONSTANTS {
            let same = constant.bytes().zip(rest).take_while(|(digit, byte)| digit.eq_ignore_ascii_case(byte)).count();
            (1..=same).for_each(|length| goes_on(length, of_constant));
        }
    }
    least[key.len()]
}

/// Does a text begin with a word, in one of its cases?
fn is_written(word: &[u8], text: &[u8]) -> bool {
    let Some(written) = text.get(..word.len()).filter(|written| written.eq_ignore_ascii_case(word)) else {
        return false;
    };
    let is_small = |bytes: &[u8]| !bytes.iter().any(u8::is_ascii_uppercase);
    is_small(written) || is_small(&written[1..]) || !written.iter().any(u8::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_three_cases() {
        let any = |_: &[u8], _: usize| 1.0 / 256.0;
        let of_word = bits(b"hospital", any);
        assert!(of_word < 12.0, "{of_word}");
        assert_eq!([bits(b"Hospital", any), bits(b"HOSPITAL", any)], [of_word; 2]);
        assert!(bits(b"hosPital", any) > 40.0, "nobody writes so");
        assert!(bits(b"hospital2024", any) < of_word + 13.0);
        assert!(bits(b"31415926535897932384", any) < 20.0);
    }

    /// All keys of a length together are no likelier than one, though many have several descriptions.
    #[test]
    fn descriptions_are_a_code() {
        let words = [&b"ababab"[..], b"bbbbb", b"aab", b"abb"];
        let any = |_: &[u8], _: usize| 0.5;
        let all = (0..1_u32 << 12).map(|number| (0..12).map(|bit| b"ab"[(number >> bit & 1) as usize]).collect());
        let all: Vec<f64> = all.map(|key: Vec<u8>| 2_f64.powf(-bits_with(&words, &key, any))).collect();
        let sum: f64 = all.iter().sum();
        // Character by character each has a probability of 2^-24.
        assert!(sum <= 1.0 && all.iter().any(|&one| one > 1e-4), "{sum}");
    }
}
