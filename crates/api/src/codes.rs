//! Enums whose variants have stable names: each variant, its name and its meaning are declared once.
//!
//! JS, JSON and journals hold these names, so they are append-only: none is changed, moved or removed.
//! `docs/codes.md` is generated from them.

/// Declares such an enum:
///
/// ```text
/// codes! {
///     /// What may be sent.
///     Mode as "GuardMode", default Active {
///         /// Everything.
///         Active = "active",
///         /// Nothing.
///         Halted = "halted",
///     }
/// }
/// ```
///
/// `as` gives it another name in TypeScript, `default` a default.
#[doc(hidden)]
#[macro_export]
macro_rules! __codes {
    (@name $enum:ident) => { stringify!($enum) };
    (@name $enum:ident $ts:literal) => { $ts };
    ($(#[$($attr:tt)*])* $enum:ident $(as $ts:literal)? $(, default $default:ident)? {
        $($(#[doc = $text:literal])+ $variant:ident = $name:literal,)+
    }) => {
        $(#[$($attr)*])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum {
            $($(#[doc = $text])+ $variant,)+
        }

        impl $enum {
            /// Every variant, in the order they were added.
            pub const ALL: [$enum; [$($name),+].len()] = [$($enum::$variant),+];

            /// Every variant under its name.
            pub const NAMED: &[(&'static str, $enum)] = &[$(($name, $enum::$variant)),+];

            #[doc(hidden)]
            pub const DECLARATION: $crate::bindings::declaration::Declaration = $crate::bindings::declaration::Declaration {
                name: $crate::__codes!(@name $enum $($ts)?),
                doc: $crate::__doc_lines!($([$($attr)*])*),
                shape: $crate::bindings::declaration::Shape::Names(&[$(($name, $enum::$variant.meaning())),+]),
            };

            /// The stable name.
            pub const fn as_str(self) -> &'static str {
                match self { $($enum::$variant => $name,)+ }
            }

            /// The variant of that name.
            pub fn from_name(name: &str) -> Option<$enum> {
                $enum::NAMED.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
            }

            /// What it means, from its documentation.
            pub const fn meaning(self) -> &'static str {
                match self { $($enum::$variant => concat!($($text),+).trim_ascii(),)+ }
            }
        }

        $(
            impl Default for $enum {
                fn default() -> Self {
                    $enum::$default
                }
            }
        )?

        impl $crate::tape::ToTape for $enum {
            fn write(&self, tape: &mut $crate::tape::Writer) {
                tape.string(self.as_str());
            }
        }

        $crate::__by_name!($enum);
    };
}
pub use __codes as codes;

/// `Serialize` and `Deserialize` of such an enum, by its names. Whether there are any is for the feature of this crate to say, not
/// for one of the crate that declares it.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __by_name {
    ($enum:ident) => {
        impl $crate::bindings::serde::Serialize for $enum {
            fn serialize<S: $crate::bindings::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::bindings::serde::Deserialize<'de> for $enum {
            fn deserialize<D: $crate::bindings::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let name = <String as $crate::bindings::serde::Deserialize>::deserialize(deserializer)?;
                let known = $enum::from_name(&name);
                known.ok_or_else(|| {
                    let problem = [name.as_str(), " is unknown here"].concat();
                    $crate::bindings::serde::de::Error::custom(problem)
                })
            }
        }
    };
}

#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __by_name {
    ($enum:ident) => {};
}

#[cfg(test)]
mod tests {
    use super::codes;
    use crate::tape::{Data, ToTape};

    codes! {
        /// What a lamp does.
        #[derive(PartialOrd, Ord)]
        Lamp as "LampState", default Off {
            /// It is dark.
            Off = "off",
            /// It is lit,
            /// and warm.
            FullyOn = "fully_on",
        }
    }

    #[test]
    fn a_code_has_a_name_a_meaning_and_a_way_back() {
        assert_eq!(Lamp::ALL, [Lamp::Off, Lamp::FullyOn]);
        assert_eq!(Lamp::ALL.map(Lamp::as_str), ["off", "fully_on"]);
        assert_eq!(Lamp::DECLARATION.name, "LampState");
        assert_eq!(Lamp::ALL.map(Lamp::meaning), ["It is dark.", "It is lit, and warm."]);
        assert_eq!(Lamp::ALL.map(|lamp| Lamp::from_name(lamp.as_str())), Lamp::ALL.map(Some));
        assert_eq!(Lamp::from_name("Off"), None);
        assert_eq!(
            (Lamp::DECLARATION.name, Lamp::DECLARATION.doc),
            ("LampState", &[" What a lamp does."][..])
        );
        assert_eq!(Lamp::default(), Lamp::Off);
        assert!(Lamp::Off < Lamp::FullyOn);
        assert_eq!(Lamp::FullyOn.to_tape().root(), Data::String("fully_on"));
    }
}
