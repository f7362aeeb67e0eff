/** A file in the place of the whole body. */
export interface ChosenFile {
  readonly name: string;
  readonly bytes: number;
  readonly base64: string;
}

interface BodyFileProps {
  readonly file: ChosenFile | null;
  readonly onChoose: (file: ChosenFile | null) => void;
}

export function BodyFile({ file, onChoose }: BodyFileProps) {
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return onChoose(null);
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    onChoose({ name: chosen.name, bytes: bytes.byteLength, base64: base64Of(bytes) });
  };
  return (
    <details className="whole-body">
      <summary>Replace the whole body by a file</summary>
      <label className="field">
        It is sent as it is, byte for byte
        <input type="file" onChange={(event) => void choose(event.target.files?.[0])} />
      </label>
      {file === null ? null : (
        <p role="status">
          {file.name}, {file.bytes.toLocaleString("en")} bytes, takes its place.{" "}
          <button type="button" className="small" onClick={() => onChoose(null)}>
            Leave the file out
          </button>
        </p>
      )}
    </details>
  );
}

/** In pieces: a call takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  const pieceBytes = 8_192;
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes)),
  );
  return btoa(pieces.join(""));
}
