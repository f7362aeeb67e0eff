import type { Topic } from "./topic.ts";

/** Bytes or fields that do not fit. */
export const schemaTopics: readonly Topic[] = [
  {
    id: "not-json",
    confidence: 0.92,
    means: "the text could not be read as JSON",
    phrases: `in json at position | is not valid json | not valid json | invalid json | malformed json
      | unexpected end of json | unexpected token + json | expecting value | json decode error | json decode
      | json parse* | json parse | json reader* | json parser | parser error | could not read json
      | unterminated string | expecting property name | extra data line | trailing data | after top level value
      | unexpected end of input | unexpected character | unexpected byte | invalid character | in literal null
      | bad control character | unexpected eof while parsing | cannot parse json | failed to parse json
      | json exception | expected value line | eof while parsing | trailing characters at line | key must be a string
      | json syntax | json syntax* | json eof | json mapping* | error parsing json | not a json | expected a json
      | unparseable json | unparsable`,
  },
  {
    id: "decode",
    confidence: 0.9,
    means: "the payload could not be decoded into what the consumer expects",
    phrases: `cannot deserialize | could not deserialize | failed to deserialize | deserializ* | deserialis*
      | unable to deserialize | unmarshal* | cannot unmarshal | failed to unmarshal | decoding fail* | decode error
      | decoding error | could not decode | failed to decode | cannot decode | unable to decode | can t decode
      | decode failed | decoding failed | could not be decoded | undecodable | magic byte | wire type | wire format
      | invalid wire | invalid protobuf | protocol message + invalid | protobuf + parse | truncated message
      | input ended unexpectedly | invalid utf 8 | invalid utf8 | not valid utf 8 | invalid byte sequence
      | invalid start byte | illegal base64 | invalid base64 | incorrect padding | malformed input | avro + schema
      | avro type* | avro runtime* | converting byte | serialization error | serializationexception
      | message conversion* | message conversion | not normalizable* | msgpack + format | could not convert
      | could not be converted | cannot convert | conversion failed | failed to convert | error converting
      | unknown variant | unknown enum | no enum constant | unknown field | unrecognized field | unrecognized property*
      | unexpected field | additional properties | additional property | unrecognized keys | unknown property
      | unexpected property | extra fields not permitted | extra inputs are not permitted
      | properties which are not allowed | not in gzip format | invalid gzip | incorrect header check | invalid header
      | bad magic | content is not allowed in prolog | saxparse* | xml parse | xmlsyntax* | malformed xml
      | not well formed | premature end of file | output parser* | output parsing | unexpected tag
      | unsupported schema version | schema version + not supported | unknown event type | unsupported event version
      | unknown message type | unsupported message | incompatible schema | schema + incompatible | schema mismatch
      | schema not found | subject not found | no schema registered | input types match the deserialized types
      | binding parameters to complex objects | message decoding | message could not be parsed | failed to parse
      | could not parse | cannot parse | unable to parse | parse error | parse failed | parsing failed | mapper parsing
      | document parsing exception | error while reading data | failed cursor | jsresult* | codec can t decode
      | malformed payload | malformed message | malformed event | corrupt message | corrupted message | corrupt payload
      | corrupt data | data error | invalid message format | cannot construct instance | no creator | cannot coerce
      | reading or writing + failed | unexpected type | illegal state while decoding
      | ClassCastException invoking processor | cast exception invoking | does the processor s input
      | deserialized input of type | unknown attribute | unknown attribute error | unknown type
      | unknown tag in message | did not conform to spec | does not conform to | not conform
      | unknown column in payload | error tokenizing data | expected + fields in line | bad csv | malformed csv
      | csv parse | malformed row | schemas do not match | schema do not match | schema match exception
      | reader s schema | writer s schema | unknown schema | unresolvable schema | schema id + not found
      | could not find schema | unsupported version of the message | unsupported event | unknown event
      | unexpected event | unexpected message type | unknown command | unknown discriminator | no type information
      | unresolved type | type id | cannot map | error mapping types | mapping exception | binding exception
      | model binding | bind error | truncated | unexpected end of | end of stream reached | insufficient data
      | buffer underflow | not enough bytes | premature end of input | invalid compressed | decompress*
      | bad checksum in message | invalid header signature`,
  },
  {
    id: "missing-field",
    confidence: 0.9,
    means: "a field that is needed is not in the payload",
    phrases: `field required | missing field | missing required | required field | required fields | is required
      | are required | missing field* | required property | missing property | required key | required parameter
      | missing parameter | missing attribute | missing key | is missing | are missing | missing mandatory
      | mandatory field | must be provided | must be present | failed on the required tag | may not be blank
      | must not be blank | may not be null | must not be null | should not be empty | must not be empty
      | cannot be blank | can t be blank | this field may not be | this field is required | value_error missing
      | required but was missing | is a required | payload value must not be | no value for required
      | lacks the required | missing column | property + is missing | not present in payload`,
  },
  {
    id: "wrong-type",
    confidence: 0.88,
    means: "a value has another type or form than expected",
    phrases: `invalid type | invalid_type | wrong type | type mismatch | type mismatch* | mismatched input*
      | expected type | must be of type | must be one of | must be a number | must be number | must be string
      | must be a string | must be an integer | must be integer | must be an object | must be object | must be an array
      | must be array | must be boolean | must be a boolean | must be a valid | must be valid | must be a well formed
      | is not a valid | not a valid | isn t a valid | valid email | value is not a valid | not a number
      | expected string | expected number | expected object | expected array | expected integer | expected boolean
      | expected int | expected u64 | expected struct | expected map | should be string | instance type | received null
      | received undefined | invalid format | bad format | wrong format | incorrect format | invalid date
      | invalid datetime | was not recognized as a valid | is not recognized | not in a correct format
      | not a recognized | does not match format | does not match pattern | does not match the pattern
      | does not match the expected | did not match schema | does not match schema | doesn t match schema
      | not match the schema | does not conform | against schema | schema validation | json schema | failed schema
      | schema validation* | invalid literal for | number format* | for input string | format exception
      | invalid input syntax | invalid text representation | cast to + failed | cast error | cannot be cast to type
      | cannot cast | invalid cast from | could not be parsed | parsing time | cannot parse | invalid uuid
      | badly formed | invalid phone | valid phone number | invalid email | invalid iban | invalid currency
      | out of range for type | out of range value | numeric overflow | numeric value out of range | value out of range
      | invalid enum value | invalid_enum_value | invalid_string | invalid_union | validation error for
      | document failed validation | invalid payload | invalid message | invalid event | invalid body
      | invalid request body | invalid webhook | invalid json payload | invalid schema | not deserializable
      | unsupported media type | invalid signature format | should match | should be equal to one of
      | not a valid + address | is not valid | invalid number | invalid timestamp | invalid date time
      | unparseable date | cannot be parsed | not parseable | is not a date | not an integer value | not numeric
      | expected format | expected a | type error expected | value error missing | unrecognized value
      | has invalid type | unsupported + encoding | invalid encoding | data type mismatch | type conversion
      | expected + but was | expected begin object | invalid syntax | invalid uuid string | invalid characters
      | contains invalid | illegal character | non numeric | not a date | not an email | not a url | not a uuid
      | wrong number of digits | unknown timezone | unknown currency | unknown country | bad date | invalid time
      | could not convert value | cannot be coerced | expected a non empty | expected non empty | expected a value
      | must not contain | must contain | must start with | must end with | length must be | size must be | should have
      | has to be | needs to be a | value of + is not`,
  },
  {
    id: "does-not-fit",
    confidence: 0.9,
    means: "the value does not fit the column it is meant for",
    phrases: `data too long | value too long | too long for type | value too large for column | would be truncated
      | right truncated | right truncation | data truncated | not null constraint | violates not null | cannot be null
      | cannot insert null | cannot insert the value null | null value in column | not null violation
      | numeric field overflow | arithmetic overflow error converting | out of range value for column
      | incorrect + value + for column | incorrect string value | incorrect datetime value | incorrect integer value
      | incorrect decimal value | exceeds maximum length | exceeds the maximum length | string too long | too_long
      | exceeded the maximum allowed length | ensure this value has at most | maximum length`,
  },
  {
    id: "refused-value",
    confidence: 0.64,
    means: "a value was refused",
    phrases: `validation failed | validation error | validation errors | validation exception | failed validation
      | failed the validation | invalid argument | invalid arguments | illegal argument | argument exception
      | bad request | invalid parameter* | unprocessable entity | invalid data | invalid value | invalid input
      | unexpected value | malformed | malformed request | invalid key | invalid length | invalid field
      | unsupported value | must match | must be | should be | expected + but got | expected + got
      | expected + received | invalid + event | invalid + payload | invalid + message | invalid + body
      | invalid + request | invalid + format | invalid + data | invalid | illegal | not supported | unsupported`,
  },
];
