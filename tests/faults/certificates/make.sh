#!/bin/sh
# Makes the certificates of this folder anew, with OpenSSL. They hold nothing secret: they name loopback, and
# nobody trusts their authority but the fault matrix, for as long as it runs.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

key() { openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$1"; }

key "$work/authority.key"
openssl req -x509 -new -key "$work/authority.key" -days 36500 -subj "/CN=Fault matrix authority" \
  -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign" -out authority.crt

# name, host, first day, last day
issue() {
  key "$1.key"
  openssl req -new -key "$1.key" -subj "/CN=$1" -out "$work/$1.csr"
  printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n' "$2" >"$work/extensions"
  : >"$work/index"
  openssl ca -batch -notext -md sha256 -startdate "$3" -enddate "$4" -extfile "$work/extensions" \
    -config "$work/ca.conf" -keyfile "$work/authority.key" -cert authority.crt -in "$work/$1.csr" -out "$1.crt"
}
cat >"$work/ca.conf" <<CONF
[ca]
default_ca = matrix
[matrix]
database = $work/index
new_certs_dir = $work
policy = any
unique_subject = no
rand_serial = yes
[any]
commonName = supplied
CONF

issue good "IP:127.0.0.1,DNS:localhost" 20250101000000Z 21240101000000Z
issue expired "IP:127.0.0.1,DNS:localhost" 20200101000000Z 20210101000000Z
issue wrong-host "DNS:elsewhere.example" 20250101000000Z 21240101000000Z

key self-signed.key
openssl req -x509 -new -key self-signed.key -days 36500 -subj "/CN=self-signed" \
  -addext "subjectAltName=IP:127.0.0.1,DNS:localhost" -out self-signed.crt
