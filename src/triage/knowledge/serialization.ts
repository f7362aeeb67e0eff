/** Protobuf, Avro, JSON Schema, MessagePack, CBOR, Thrift, XML and compression. The notation is explained in read-table.ts. */
export const serialization = `
# protobufjs message
p72 illegal buffer
s72 max depth exceeded
s85 object expected | array expected
s92 index out of range
s93 invalid end group tag | missing end group
s95 invalid wire type | invalid varint encoding | invalid tag encoding | illegal tag: field number 0 |
   missing required
u78 no such type
# protobufjs class
s95 ProtocolError
# protobuf-es message
s93 premature EOF
s95 illegal tag | invalid varint | cannot decode message | cannot decode field
# protobuf-java message
s72 Protocol message was too large
s95 While parsing a protocol message, the input ended unexpectedly | Protocol message had invalid UTF-8 |
   Protocol message end-group tag did not match expected tag
s96 Protocol message contained an invalid tag (zero) | Protocol message tag had invalid wire type
# protobuf-python message
s95 Error parsing message | Wrong wire type in tag
# protobuf-go message
s96 cannot parse invalid wire-format data
# avsc message
s82 potential precision loss | cannot coerce to buffer
s88 codec decompression error
s93 enum index | invalid sync marker | truncated block
s95 truncated buffer | trailing data | invalid union index | invalid magic bytes
u72 ambiguous unwrapped union | undefined type name
u78 unknown codec
# avro-java message
s90 Error deserializing Avro message for id
s95 Expected start-union | missing required field | Not an Avro data file
s96 Unknown magic byte! | Malformed data. Length is negative
t60 Error retrieving Avro
# avro-java class
s50 ArrayIndexOutOfBoundsException
# schema-registry-client message
s65 Schema not found
s95 Message encoded with magic byte
u70 Subject not found
# json-schema message
s88 must be
s92 must match format
s93 is not of type | required key [
s95 must have required property | must NOT have additional properties | must be equal to one of the allowed values |
   is a required property
# msgpack message
s90 Insufficient data
s93 Unrecognized type byte | Extra bytes
# cbor message
s93 Unexpected end of CBOR data | Data read, but end of buffer not reached
# thrift class
s92 TProtocolException
t90? TTransportException
# compression message
s60 Snappy
s85 unexpected end of file | Z_BUF_ERROR | ERR_BROTLI
s92 incorrect header check | invalid stored block lengths | Z_DATA_ERROR
u85 Not implemented: codec
# cloudevents message
s90 invalid payload
# cloudevents class
s93 ValidationError
# xml message
s93 Premature end of file | Content is not allowed in prolog | not well-formed | mismatched tag
`;
