//! How long a service asks to wait: `retry-after`, in seconds or as a date (RFC 9110, sections 10.2.3 and 5.6.7).

use crate::launchpad::rules::days_since_1970;
use crate::trade::guard::DAY_MS;

/// Milliseconds from `now_ms` (since 1970) that a `retry-after` asks to wait: whole seconds, or a date in any of the three
/// forms of HTTP, by this machine's clock. A date that has passed gives 0, any other text `None`.
///
/// ```
/// use launchpad_desk::trade::retry_after_ms;
/// let now = 784_111_777_000; // 1994-11-06 08:49:37
/// assert_eq!(retry_after_ms("120", now), Some(120_000));
/// assert_eq!(retry_after_ms("Sun, 06 Nov 1994 08:49:40 GMT", now), Some(3_000));
/// assert_eq!(retry_after_ms("soon", now), None);
/// ```
pub fn retry_after_ms(text: &str, now_ms: u64) -> Option<u64> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A wait too large for any number counts as the longest.
        return Some(text.parse().unwrap_or(u64::MAX).saturating_mul(1_000));
    }
    Some((seconds_of(text, now_ms)? * 1_000).saturating_sub(now_ms))
}

/// Seconds since 1970 of an HTTP date; 0 for any before that.
fn seconds_of(date: &str, now_ms: u64) -> Option<u64> {
    let mut parts = [""; 8];
    let given = date.split([' ', ',', '-', ':']).filter(|part| !part.is_empty());
    for (at, part) in given.enumerate() {
        *parts.get_mut(at)? = part;
    }
    let (day, month, year, [hour, minute, second]) = match parts {
        // Sun Nov  6 08:49:37 1994
        [_, month, day, hour, minute, second, year, ""] => (day, month, year, [hour, minute, second]),
        // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
        [_, day, month, year, hour, minute, second, "GMT"] => (day, month, year, [hour, minute, second]),
        _ => return None,
    };
    let months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = months.as_bytes().chunks(3).position(|name| name == month.as_bytes())? as u64 + 1;
    let days = |year| days_since_1970(year, month);
    let year = match year.len() {
        4 => number(year, 0, 9_999)?,
        2 => {
            let mut year = 2_000 + number(year, 0, 99)?;
            // A year more than fifty years ahead means the past century.
            while days(year) > now_ms / DAY_MS + 18_262 {
                year -= 100;
            }
            year
        }
        _ => return None,
    };
    let length = days_since_1970(year, month + 1) - days(year);
    let day = number(day, 1, if year < 1970 { 31 } else { length })?;
    // A leap second is the 61st.
    let time = number(hour, 0, 23)? * 3_600 + number(minute, 0, 59)? * 60 + number(second, 0, 60)?;
    Some(if year < 1970 { 0 } else { (days(year) + day - 1) * 86_400 + time })
}

fn number(text: &str, min: u64, max: u64) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits)?;
    (min..=max).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1994-11-06 08:49:37, the moment of the RFC's examples.
    const THEN: u64 = 784_111_777_000;

    #[test]
    fn seconds_are_whole_and_of_any_size() {
        let cases = [
            ("0", Some(0)),
            (" 120\t", Some(120_000)),
            ("007", Some(7_000)),
            ("18446744073709551615", Some(u64::MAX)),
            ("99999999999999999999999999", Some(u64::MAX)),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("1e3", None),
            ("120 s", None),
            ("٣", None),
        ];
        for (text, ms) in cases {
            assert_eq!(retry_after_ms(text, THEN), ms, "{text}");
        }
    }

    #[test]
    fn a_date_has_three_forms() {
        for date in
            ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
        {
            assert_eq!(retry_after_ms(date, THEN), Some(0), "{date}");
            assert_eq!(retry_after_ms(date, THEN - 1_500), Some(1_500), "{date}");
            assert_eq!(retry_after_ms(date, THEN + 1), Some(0), "{date}: passed");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let seconds = |date: &str| seconds_of(date, THEN);
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds("Tue, 29 Feb 2000 23:59:60 GMT"), Some(951_868_800));
        assert_eq!(seconds("Fri, 31 Dec 9999 23:59:59 GMT"), Some(253_402_300_799));
        assert_eq!(seconds("Wed, 31 Dec 1969 23:59:59 GMT"), Some(0));
        for odd in [
            "Mon, 29 Feb 1999 00:00:00 GMT",
            "Mon, 31 Apr 2027 00:00:00 GMT",
            "Mon, 00 Jan 2027 00:00:00 GMT",
            "Mon, 01 Jan 2027 24:00:00 GMT",
            "Mon, 01 Jan 2027 00:60:00 GMT",
            "Mon, 01 Jan 2027 00:00:61 GMT",
            "Mon, 01 jan 2027 00:00:00 GMT",
            "Mon, 01 Jan 2027 00:00:00 CET",
            "Mon, 01 Jan 27 00:00 GMT",
            "Mon, 01 Jan 02027 00:00:00 GMT",
            "Mon, +1 Jan 2027 00:00:00 GMT",
            "2027-01-01T00:00:00Z",
            "Mon, 01 Jan 2027 00:00:00 GMT and more",
        ] {
            assert_eq!(seconds(odd), None, "{odd}");
        }
    }

    #[test]
    fn days_are_counted_as_a_calendar_counts_them() {
        let mut days = 0;
        for year in 1970..2_500 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (month, length) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].into_iter().enumerate() {
                assert_eq!(days_since_1970(year, month as u64 + 1), days, "{year}-{month}");
                days += length + u64::from(is_leap && month == 1);
            }
        }
    }

    #[test]
    fn a_short_year_is_the_nearest_that_is_not_far_ahead() {
        let at_2026 = 1_795_000_000_000;
        let year = |date| seconds_of(date, at_2026).map(|seconds| 1970 + seconds / 31_556_952);
        assert_eq!(year("Monday, 06-Jul-26 08:49:37 GMT"), Some(2026));
        assert_eq!(year("Monday, 06-Jul-76 08:49:37 GMT"), Some(2076));
        assert_eq!(year("Monday, 06-Jul-77 08:49:37 GMT"), Some(1977));
        assert_eq!(seconds_of("Monday, 06-Jul-69 08:49:37 GMT", 0), Some(0));
    }
}
