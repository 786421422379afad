//! Could somebody have thought of these bytes?
//!
//! Models of what people write give every key a probability. A key is refused if that is more than 2^20 times the
//! probability of a key of its form that is drawn at random: whatever the models are, no more than one random key in 2^20 is,
//! since the probabilities of all keys add up to one (Markov's inequality).

use std::sync::LazyLock;

use super::known_words;

/// How much shorter than a random key the description of one may be, in bits.
const TOLERATED: f64 = 20.0;

/// How many bits it takes to say which letter follows a letter (the rows; the first is for the beginning of a word), as words of English
/// and German and common names have it; rounded, in hexadecimal digits.
const FOLLOWS: [&[u8; 26]; 27] = [
    b"45445555566445547434665888",
    b"85458759596353859343667859",
    b"38892899458399399458499959",
    b"49693893594489289563599969",
    b"47752869289878489437579959",
    b"47435678699453756235856569",
    b"39993499299579399465498959",
    b"47992973399684479357499998",
    b"37982999398767299574699969",
    b"56444559896452467643959886",
    b"39962999995999299946299999",
    b"56761978398594799639799999",
    b"38752789299388379845578958",
    b"24862999399756349859599979",
    b"48433638496786479943688958",
    b"76547669686442559344354989",
    b"38773976598388449344498969",
    b"97999999599499999999095999",
    b"37652868396665388644578859",
    b"48582794395878457842486879",
    b"38772983299778479435596958",
    b"45554769598443749333889998",
    b"39991779499999699779799989",
    b"39882993399794379448997999",
    b"39394997399499629992799999",
    b"55673999599937349923695999",
    b"29991994399999999959999994",
];

/// Signs that some people write in place of a letter.
const LOOKALIKES: [(u8, u8); 9] = [
    (b'0', b'o'),
    (b'1', b'i'),
    (b'3', b'e'),
    (b'4', b'a'),
    (b'5', b's'),
    (b'7', b't'),
    (b'8', b'b'),
    (b'@', b'a'),
    (b'$', b's'),
];
const IN_PLACE: f64 = 0.2;

const KEYBOARDS: [&str; 2] =
    ["1234567890\nqwertyuiop\nasdfghjkl;\nzxcvbnm,./", "1234567890\nqwertzuiop\nasdfghjklo\nyxcvbnm,.-"];

/// Is this more likely something that somebody wrote than a random key of so many bits?
pub(super) fn is_guessable(key: &[u8], random_bits: f64) -> bool {
    let bits = |model: Model| (0..key.len()).map(|at| -model(key, at).log2()).sum::<f64>();
    // The best of the models, and some bits to say which it is.
    let by_words =
        known_words::bits(key, |key, at| mixed([(0.8, in_words(key, at)), (0.2, ANY), (0.0, 0.0), (0.0, 0.0)]));
    let shortest = MODELS.iter().map(|model| bits(*model)).fold(by_words, f64::min);
    shortest + (MODELS.len() as f64 + 1.0).log2() < random_bits - TOLERATED
}

/// How likely a character is after all that stands before it. All that could stand there add up to no more than one.
type Model = fn(&[u8], usize) -> f64;

const MODELS: [Model; 3] = [in_words, in_patterns, in_walks];

/// The probability of each letter after each.
static LETTERS: LazyLock<Vec<[f64; 26]>> = LazyLock::new(|| {
    let probability = |digit: u8| 2_f64.powi(-i32::from(if digit > b'9' { digit - b'a' + 10 } else { digit - b'0' }));
    let row = |row: &&[u8; 26]| {
        let row = row.map(probability);
        let sum: f64 = row.iter().sum();
        row.map(|each| each / sum)
    };
    FOLLOWS.iter().map(row).collect()
});

/// Kinds of characters, and how likely each kind follows each: what people write changes seldom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterKind {
    Lower,
    Upper,
    Digit,
    Space,
    Sign,
    Other,
}

const KIND_FOLLOWS: [[f64; 6]; 6] = [
    [0.83, 0.05, 0.05, 0.05, 0.015, 0.005],
    [0.65, 0.24, 0.05, 0.04, 0.015, 0.005],
    [0.14, 0.14, 0.60, 0.06, 0.05, 0.01],
    [0.47, 0.30, 0.17, 0.03, 0.02, 0.01],
    [0.30, 0.25, 0.20, 0.15, 0.09, 0.01],
    [0.20, 0.10, 0.10, 0.05, 0.05, 0.50],
];
const KIND_BEGINS: [f64; 6] = [0.40, 0.40, 0.12, 0.01, 0.05, 0.02];

fn kind(byte: u8) -> LetterKind {
    match byte {
        b'a'..=b'z' => LetterKind::Lower,
        b'A'..=b'Z' => LetterKind::Upper,
        b'0'..=b'9' => LetterKind::Digit,
        b' ' | b'-' | b'_' | b'.' => LetterKind::Space,
        b'!'..=b'~' => LetterKind::Sign,
        _ => LetterKind::Other,
    }
}

/// The letter that a character is, or stands for.
fn letter(byte: u8) -> Option<u8> {
    let meant = LOOKALIKES.iter().find(|(sign, _)| *sign == byte).map_or(byte, |(_, letter)| *letter);
    meant.is_ascii_alphabetic().then(|| meant.to_ascii_lowercase() - b'a')
}

/// How likely a character is where people write words and numbers.
fn in_words(key: &[u8], at: usize) -> f64 {
    let (byte, before) = (key[at], at.checked_sub(1).map(|before| key[before]));
    let kinds = before.map_or(KIND_BEGINS, |before| KIND_FOLLOWS[kind(before) as usize]);
    // A capital after a small letter begins a word.
    let is_new = kind(byte) == LetterKind::Upper && before.is_some_and(|before| kind(before) == LetterKind::Lower);
    let row = before.and_then(letter).filter(|_| !is_new).map_or(0, |before| usize::from(before) + 1);
    let of_letter = letter(byte).map_or(0.0, |letter| LETTERS[row][usize::from(letter)]);
    let is_lookalike = LOOKALIKES.iter().any(|(sign, _)| *sign == byte);
    let has_lookalike = LOOKALIKES.iter().any(|(_, letter)| *letter == byte.to_ascii_lowercase());
    let as_letter = match (is_lookalike, has_lookalike) {
        (true, _) => kinds[0] * of_letter * IN_PLACE,
        (false, true) => kinds[kind(byte) as usize] * of_letter * (1.0 - IN_PLACE),
        (false, false) => kinds[kind(byte) as usize] * of_letter,
    };
    let among = match kind(byte) {
        LetterKind::Lower | LetterKind::Upper => return as_letter,
        LetterKind::Digit => 10.0,
        LetterKind::Space => 4.0,
        LetterKind::Sign => 28.0,
        LetterKind::Other => 161.0,
    };
    // What is written in place of a letter was counted above; `a` and `s` have two such signs.
    as_letter / 2.0 + kinds[kind(byte) as usize] / among
}

/// Adds up models, each with its share.
fn mixed(shares: [(f64, f64); 4]) -> f64 {
    shares.iter().map(|(share, probability)| share * probability).sum()
}

/// Any byte is as likely as any other.
const ANY: f64 = 1.0 / 256.0;

/// How likely a character is where people repeat themselves, or count.
fn in_patterns(key: &[u8], at: usize) -> f64 {
    mixed([(0.4, repeated(key, at)), (0.3, counted(key, at)), (0.25, in_words(key, at)), (0.05, ANY)])
}

/// How likely a character is where fingers walk.
fn in_walks(key: &[u8], at: usize) -> f64 {
    mixed([(0.65, walked(key, at)), (0.1, repeated(key, at)), (0.2, in_words(key, at)), (0.05, ANY)])
}

/// What followed the last time that the same two characters stood here.
fn repeated(key: &[u8], at: usize) -> f64 {
    let Some(start) = at.checked_sub(2) else { return 0.0 };
    let context = &key[start..at];
    let earlier = (0..start).rev().find(|&place| &key[place..place + 2] == context);
    earlier.map_or(0.0, |place| f64::from(u8::from(key[place + 2] == key[at])))
}

/// The next of a sequence such as `aaa`, `abc` or `321`, or at the same distance as the last two.
fn counted(key: &[u8], at: usize) -> f64 {
    let Some(last) = at.checked_sub(1).map(|before| i16::from(key[before])) else { return 0.0 };
    let step = i16::from(key[at]) - last;
    let before = at.checked_sub(2).map(|before| last - i16::from(key[before]));
    let goes_on = f64::from(u8::from(before == Some(step)));
    let is_near = f64::from(u8::from((-1..=1).contains(&step)));
    0.7 * goes_on + 0.1 * is_near
}

/// A key beside the last one, on one of two keyboards, most likely in the same direction.
fn walked(key: &[u8], at: usize) -> f64 {
    let step = |keyboard: &str, to: usize| {
        let (from, to) = (key[to.checked_sub(1)?], key[to]);
        let is_same_case = from.is_ascii_uppercase() == to.is_ascii_uppercase();
        let ((row, column), (other, next)) = (place(keyboard, from)?, place(keyboard, to)?);
        let step = (other - row, next - column);
        (is_same_case && step.0.abs() <= 1 && step.1.abs() <= 1).then_some(step)
    };
    let on = |keyboard: &str| {
        let Some(now) = step(keyboard, at) else { return 0.0 };
        let before = at.checked_sub(1).and_then(|before| step(keyboard, before));
        // No more than nine keys are within a step, the same one among them.
        0.6 * f64::from(u8::from(before == Some(now))) + 0.4 / 9.0
    };
    KEYBOARDS.iter().map(|keyboard| on(keyboard)).sum::<f64>() / KEYBOARDS.len() as f64
}

/// The row and the column of a key.
fn place(keyboard: &str, key: u8) -> Option<(i8, i8)> {
    let at = keyboard.bytes().position(|other| other == key.to_ascii_lowercase() && key != b'\n')?;
    i8::try_from(at).ok().map(|at| (at / 11, at % 11))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probabilities of all that can follow add up to no more than one: that is what the bound stands on.
    #[test]
    fn every_model_is_a_probability() {
        for before in
            ["", "a", "aa", "ab", "Ab", "h0", "q", "Q", "qw", "QW", "12", " ", "!", "\u{e4}", "abab", "x\0x\0"]
        {
            for model in MODELS {
                let after = |next: u8| model(&[before.as_bytes(), &[next]].concat(), before.len());
                let sum: f64 = (0..=255).map(after).sum();
                assert!(sum <= 1.0 + 1e-9 && sum > 0.2, "{sum} after {before:?}");
            }
        }
    }
}
