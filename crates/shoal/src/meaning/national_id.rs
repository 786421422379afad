//! Is a value the number of a person in some country's register?

use super::pattern::has_shape;

/// Something that a country's authority gives each person, with a check or a shape that hardly anything else has.
pub(super) fn is_national_id(value: &str) -> bool {
    let plain: String = value.chars().filter(|c| *c != ' ').collect();
    let checks = [is_dni, is_cpf, is_nir, is_pesel, is_personnummer, is_henkilotunnus, is_nino, is_codice_fiscale];
    plain.is_ascii() && checks.iter().any(|check| check(&plain))
}

fn digits(text: &str) -> Option<Vec<u32>> {
    text.chars().map(|c| c.to_digit(10)).collect()
}

fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

/// Spain, DNI and NIE: eight digits (the first may be X, Y or Z for 0, 1 or 2) and the letter that their remainder by 23 gives.
fn is_dni(value: &str) -> bool {
    const LETTERS: &[u8] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let value = value.replace('-', "");
    let (Some(number), Some(letter)) = (value.get(..8), value.get(8..)) else { return false };
    let number = match number.as_bytes()[0] {
        first @ b'X'..=b'Z' => format!("{}{}", first - b'X', &number[1..]),
        _ => number.to_owned(),
    };
    let remainder = number.parse::<usize>().ok().map(|number| number % LETTERS.len());
    number.bytes().all(|byte| byte.is_ascii_digit())
        && remainder.is_some_and(|remainder| letter.as_bytes() == [LETTERS[remainder]])
}

/// Brazil, CPF: nine digits and two that check them, often as `111.444.777-35`.
fn is_cpf(value: &str) -> bool {
    let plain = if has_shape(value, "ddd.ddd.ddd-dd") { value.replace(['.', '-'], "") } else { value.replace('-', "") };
    let Some(digits) = digits(&plain).filter(|digits| digits.len() == 11) else { return false };
    let check = |from: u32, of: &[u32]| {
        let weights: Vec<u32> = (2..=from).rev().collect();
        weighted(of, &weights) * 10 % 11 % 10
    };
    digits.windows(2).any(|pair| pair[0] != pair[1])
        && check(10, &digits[..9]) == digits[9]
        && check(11, &digits[..10]) == digits[10]
}

/// France, NIR: sex, year and month of birth, a place, an order, and 97 minus the remainder of all that.
fn is_nir(value: &str) -> bool {
    let (Some(number), Some(key)) = (value.get(..13), value.get(13..15)) else { return false };
    let number = number.replacen("2A", "19", 1).replacen("2B", "18", 1);
    let (Ok(number), Ok(key)) = (number.parse::<u64>(), key.parse::<u64>()) else { return false };
    value.len() == 15 && value.starts_with(['1', '2']) && key == 97 - number % 97
}

/// Poland, PESEL: a birth date, an order, and a digit that checks them.
fn is_pesel(value: &str) -> bool {
    let Some(digits) = digits(value).filter(|digits| digits.len() == 11) else { return false };
    let is_date =
        (1..=12).contains(&(digits[2] % 2 * 10 + digits[3])) && (1..=31).contains(&(digits[4] * 10 + digits[5]));
    let sum = weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
    is_date && (10 - sum % 10) % 10 == digits[10]
}

/// Sweden, personnummer: a birth date, `-` or `+`, three digits and that of Luhn.
fn is_personnummer(value: &str) -> bool {
    let Some((date, rest)) = value.split_once(['-', '+']) else { return false };
    let date = if date.len() == 8 { &date[2..] } else { date };
    let Some(digits) = digits(&format!("{date}{rest}")).filter(|_| date.len() == 6 && rest.len() == 4) else {
        return false;
    };
    let doubled = |(at, digit): (usize, &u32)| {
        let doubled = if at % 2 == 0 { digit * 2 } else { *digit };
        doubled / 10 + doubled % 10
    };
    is_day_of_a_year(&digits[2..6], true) && digits.iter().enumerate().map(doubled).sum::<u32>() % 10 == 0
}

/// Finland, henkilötunnus: a birth date, a sign of its century, three digits and a check of the remainder by 31.
fn is_henkilotunnus(value: &str) -> bool {
    const CHECKS: &[u8] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";
    let (Some(date), Some(century), Some(order), Some(check)) =
        (value.get(..6), value.get(6..7), value.get(7..10), value.get(10..))
    else {
        return false;
    };
    let Some(digits) = digits(date) else { return false };
    let remainder = format!("{date}{order}").parse::<usize>().ok().map(|number| number % CHECKS.len());
    is_day_of_a_year(&[digits[2], digits[3], digits[0], digits[1]], false)
        && "+-ABCDEFYXWVU".contains(century)
        && remainder.is_some_and(|remainder| check.as_bytes() == [CHECKS[remainder]])
}

/// Are these a month and a day? Days may be those of a coordination number, which are 60 more.
fn is_day_of_a_year(digits: &[u32], may_be_coordinated: bool) -> bool {
    let (month, day) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3]);
    let day = if may_be_coordinated && day > 60 { day - 60 } else { day };
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// Britain, national insurance number: two letters, six digits, A to D.
fn is_nino(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == 9
        && bytes[..2].iter().all(|byte| byte.is_ascii_uppercase() && !b"DFIQUV".contains(byte))
        && bytes[2..8].iter().all(u8::is_ascii_digit)
        && (b'A'..=b'D').contains(&bytes[8])
}

/// Italy, codice fiscale: letters of the name, year, month and day of birth, a place and a check.
fn is_codice_fiscale(value: &str) -> bool {
    let shape = "LLLLLLDDLDDLDDDL";
    value.len() == shape.len()
        && value.bytes().zip(shape.bytes()).all(|(byte, shape)| match shape {
            b'L' => byte.is_ascii_uppercase(),
            _ => byte.is_ascii_digit(),
        })
        && b"ABCDEHLMPRST".contains(&value.as_bytes()[8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_the_right_check_are_recognized() {
        for value in [
            "12345678Z",
            "X1234567L",
            "111.444.777-35",
            "2 55 08 14 168 025 38",
            "44051401359",
            "811228-9874",
            "131052-308T",
            "AB123456C",
            "RSSMRA85T10A562S",
        ] {
            assert!(is_national_id(value), "{value}");
        }
    }

    #[test]
    fn others_are_not() {
        for value in [
            "12345678A",
            "111.444.777-36",
            "255081416802539",
            "44051401358",
            "811228-9875",
            "131052-308S",
            "AB12345C",
            "",
            "11111111111",
            "2024-01-31",
            "13053",
            "0.1234567890",
            "é",
            "RSSMRA85Z10A562S",
        ] {
            assert!(!is_national_id(value), "{value}");
        }
    }
}
