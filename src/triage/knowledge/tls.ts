/** TLS certificates and handshakes. The notation is explained in read-table.ts. */
export const tls = `
# tls code
p55 ERR_TLS_INVALID_STATE=call order
t65? ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC
t80? ERR_SSL_UNEXPECTED_EOF_WHILE_READING=peer closed during tls
t85 ERR_TLS_HANDSHAKE_TIMEOUT=handshake too slow
u40 OUT_OF_MEM=openssl out of memory
u50 ERR_TLS_SESSION_ATTACK=too many renegotiations
u60 ERR_TLS_RENEGOTIATION_DISABLED=renegotiation
u75 ERR_TLS_DH_PARAM_SIZE=weak dh | ERR_TLS_REQUIRED_SERVER_NAME=sni missing
u80 ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE=cipher or client certificate
u85 ERR_TLS_CERT_ALTNAME_FORMAT=certificate names malformed | ERR_TLS_INVALID_PROTOCOL_VERSION=tls version setting |
   ERR_TLS_PROTOCOL_VERSION_CONFLICT=tls version setting |
   ERR_SSL_WRONG_VERSION_NUMBER=plain text on tls port or the reverse |
   ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION=tls version mismatch |
   ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE=peer refused certificate | ERR_SSL_NO_SHARED_CIPHER=no common cipher |
   ERR_SSL_UNSUPPORTED_PROTOCOL=tls version
u90 UNABLE_TO_GET_ISSUER_CERT=certificate trust or setup | UNABLE_TO_GET_CRL=certificate trust or setup |
   UNABLE_TO_DECRYPT_CERT_SIGNATURE=certificate trust or setup |
   UNABLE_TO_DECRYPT_CRL_SIGNATURE=certificate trust or setup |
   UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY=certificate trust or setup | CERT_SIGNATURE_FAILURE=certificate trust or setup |
   CRL_SIGNATURE_FAILURE=certificate trust or setup | CERT_NOT_YET_VALID=clock or certificate date |
   CERT_HAS_EXPIRED=certificate expired; renew | CRL_NOT_YET_VALID=certificate trust or setup |
   CRL_HAS_EXPIRED=certificate trust or setup | ERROR_IN_CERT_NOT_BEFORE_FIELD=certificate trust or setup |
   ERROR_IN_CERT_NOT_AFTER_FIELD=certificate trust or setup |
   ERROR_IN_CRL_LAST_UPDATE_FIELD=certificate trust or setup |
   ERROR_IN_CRL_NEXT_UPDATE_FIELD=certificate trust or setup | DEPTH_ZERO_SELF_SIGNED_CERT=self-signed certificate |
   SELF_SIGNED_CERT_IN_CHAIN=self-signed certificate in chain |
   UNABLE_TO_GET_ISSUER_CERT_LOCALLY=certificate trust or setup |
   UNABLE_TO_VERIFY_LEAF_SIGNATURE=certificate trust or setup | CERT_CHAIN_TOO_LONG=certificate trust or setup |
   CERT_REVOKED=certificate revoked | INVALID_CA=certificate trust or setup |
   PATH_LENGTH_EXCEEDED=certificate trust or setup | INVALID_PURPOSE=certificate trust or setup |
   CERT_UNTRUSTED=certificate trust or setup | CERT_REJECTED=certificate trust or setup |
   HOSTNAME_MISMATCH=host name not in certificate |
   ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED=client certificate missing |
   ERR_SSL_TLSV1_ALERT_UNKNOWN_CA=peer does not trust ca
u92 ERR_TLS_CERT_ALTNAME_INVALID=host name not in certificate | CERTIFICATE_VERIFY_FAILED=python ssl
# tls message
u90 certificate has expired | self signed certificate | self-signed certificate |
   unable to verify the first certificate | unable to get local issuer certificate |
   x509: certificate has expired or is not yet valid | The remote certificate is invalid
u92 x509: certificate signed by unknown authority | PKIX path building failed
`;
