"""TLS 1.3 between peers: it hides what is said and notices damage; it does not say who is there.

Rule 1: a certificate is made for one process and signed by nobody, and the dialler verifies
nothing; the handshake inside (`handshake`) ties both keys to the certificate's hash.
Rule 2: the certificate's key is never left on the disk.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import os
import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

NAME = "sobremesa"


class Certificate:
    """A process's own certificate: the context to listen with, and the hash that names it."""

    def __init__(self) -> None:
        key = Ed25519PrivateKey.generate()
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
        # Nobody checks the dates; they are wide because the clocks of a family are.
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(datetime.datetime(2000, 1, 1))
            .not_valid_after(datetime.datetime(2100, 1, 1))
            .sign(key, None)
        )
        self.hash = certificate_hash(certificate.public_bytes(Encoding.DER))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.context.num_tickets = 0
        with tempfile.TemporaryDirectory(prefix=NAME) as folder:
            path = Path(folder, "certificate")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(certificate.public_bytes(Encoding.PEM))
                file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
            self.context.load_cert_chain(path)


@functools.cache
def client_context() -> ssl.SSLContext:
    """The context to dial with."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def certificate_hash(der: bytes) -> bytes:
    """SHA-256 of a certificate."""
    return hashlib.sha256(der).digest()
