//! Encoders in files: there and back, and what is refused on the way back.

use std::path::Path;

use bnc_data::{
    Discretization, DomainV1, Encoder, EncoderV1, Error, Frame, MISSING, MissingPolicy, MissingPolicyV1,
    Preparation, decode, encode,
};

use crate::support::{frame, nominal, numeric};

fn table() -> Frame {
    frame(vec![
        nominal("a", &["x", "y"], &["y", "?", "y", "x"]),
        numeric("b", &[0.0, 10.0, f64::NAN, 8.0]),
        nominal("c", &["u"], &["u", "u", "u", "u"]),
        nominal("class", &["no", "yes"], &["yes", "no", "no", "yes"]),
    ])
}

fn fitted(missing: MissingPolicy) -> Encoder {
    let preparation = Preparation { missing, discretization: Discretization::Width(3) };
    let frame = match missing {
        MissingPolicy::Reject => table().select(&[0, 3]),
        _ => table(),
    };
    Encoder::fit(&frame, preparation).unwrap()
}

const POLICIES: [MissingPolicy; 4] =
    [MissingPolicy::Ignore, MissingPolicy::Value, MissingPolicy::Mode, MissingPolicy::Reject];

#[test]
fn an_encoder_survives_its_wire_form() {
    for policy in POLICIES {
        let encoder = fitted(policy);
        let bytes = encode(&encoder.wire()).unwrap();
        let wire: EncoderV1 = decode(&bytes, Path::new("m.bnc")).unwrap();
        assert_eq!(Encoder::from_wire(wire).unwrap(), encoder);
    }
    // A schema with a value for missing numbers, without the policy that made it.
    let of_schema = Encoder::of_schema(fitted(MissingPolicy::Value).schema().clone());
    assert_eq!(Encoder::from_wire(of_schema.wire()).unwrap(), of_schema);
}

/// The error of a wire form that was changed by hand.
fn refused(policy: MissingPolicy, change: impl FnOnce(&mut EncoderV1)) -> String {
    let mut wire = fitted(policy).wire();
    change(&mut wire);
    match Encoder::from_wire(wire) {
        Err(Error::Shape(message)) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_wire_schema_that_is_not_valid_is_refused() {
    let ignore = MissingPolicy::Ignore;
    let labels = |labels: &[&str]| DomainV1::Labels(labels.iter().map(ToString::to_string).collect());
    let cuts = |cuts: &[f64]| DomainV1::Intervals { cuts: cuts.to_vec(), missing: false };
    for (domain, expected) in [
        (labels(&[]), "no values"),
        (labels(&["x", "x"]), "twice"),
        (cuts(&[1.0, 1.0]), "increasing"),
        (cuts(&[2.0, 1.0]), "increasing"),
        (cuts(&[f64::NAN]), "finite"),
        (cuts(&[1.0, f64::INFINITY]), "finite"),
        (DomainV1::Labels((0..65_536).map(|label| label.to_string()).collect()), "more than 65535"),
    ] {
        let message = refused(ignore, |wire| wire.schema.features[0].domain = domain);
        assert!(message.contains(expected) && message.contains("'a'"), "{message}");
    }
    let message = refused(ignore, |wire| wire.schema.class.domain = cuts(&[1.0]));
    assert!(message.contains("numeric"), "{message}");
    let message = refused(ignore, |wire| wire.schema.features[1].name = "a".into());
    assert!(message.contains("'a'"), "{message}");
    let message = refused(ignore, |wire| wire.schema.class.name = "b".into());
    assert!(message.contains("'b'"), "{message}");
}

#[test]
fn wire_fill_codes_that_do_not_fit_are_refused() {
    for policy in POLICIES {
        assert!(refused(policy, |wire| wire.fill.truncate(2)).contains("2 fill codes for 3 features"));
        assert!(refused(policy, |wire| wire.fill.push(MISSING)).contains("4 fill codes"));
        assert!(refused(policy, |wire| wire.fill[0] = 3).contains("code 3"));
        assert!(refused(policy, |wire| wire.fill[1] = 60_000).contains("'b'"));
    }
    // What is right under one policy is wrong under another.
    refused(MissingPolicy::Mode, |wire| wire.fill[0] = MISSING);
    refused(MissingPolicy::Ignore, |wire| wire.fill[0] = 0);
    refused(MissingPolicy::Reject, |wire| wire.fill[0] = 0);
    refused(MissingPolicy::Value, |wire| wire.fill[0] = 0);
    refused(MissingPolicy::Value, |wire| wire.fill[1] = MISSING);
    refused(MissingPolicy::Value, |wire| {
        if let DomainV1::Intervals { missing, .. } = &mut wire.schema.features[1].domain {
            *missing = false;
        }
    });
    refused(MissingPolicy::Mode, |wire| wire.missing = MissingPolicyV1::Ignore);
}

/// The bytes of a wire form are promised: every field, in this order, in bincode's variable-length coding.
#[test]
fn the_wire_form_never_changes() {
    let expected: &[u8] = b"\x05class\x00\x02\x02no\x03yes\
        \x03\
        \x01a\x00\x03\x01x\x01y\x01?\
        \x01b\x01\x02\xab\xaa\xaa\xaa\xaa\xaa\x0a\x40\xab\xaa\xaa\xaa\xaa\xaa\x1a\x40\x01\
        \x01c\x00\x01\x01u\
        \x01\
        \x03\x02\x03\xfb\xff\xff";
    assert_eq!(encode(&fitted(MissingPolicy::Value).wire()).unwrap(), expected);
}
