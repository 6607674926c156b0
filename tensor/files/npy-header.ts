import { strFromU8 } from 'fflate';
import { DTYPES, type DtypeName } from '../../core/catalog/dtypes.ts';
import { countOf, showCount } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { findBadByte } from '../../core/text/utf8.ts';
import { countBytes } from '../tensor-text.ts';
import { fault, type Fault } from './file-format.ts';
import { isEntries, readPythonLiteral, readSizes, type Literal } from './literals.ts';

/** The array description in the header of a .npy file. */
export interface NpyHeader {
  readonly dtype: DtypeName;
  readonly shape: readonly number[];
  readonly byteOrder: 'little' | 'big';
  /** `Fortran`: column-major, the first axis varies fastest. */
  readonly order: 'C' | 'Fortran';
  /** The byte range of the data in the file, `[dataStart, dataEnd)`. */
  readonly dataStart: number;
  readonly dataEnd: number;
}

export type NpyHeaderReading =
  | { readonly kind: 'ok'; readonly header: NpyHeader }
  /** The header is incomplete; `needed` is the number of bytes from the start of the file to read next. */
  | { readonly kind: 'more'; readonly needed: number }
  | Fault;

/** The first six bytes of a .npy file: 0x93 and NUMPY. */
export const NPY_MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;

/** The maximum length of a header. NumPy refuses more than 10,000 bytes unless the file is trusted. */
const MAX_HEADER = 1_048_576;
const KEYS = 'descr, fortran_order and shape';

/**
 * Reads the header of a .npy file (NumPy, numpy.lib.format, versions 1 to 3). It needs only the bytes of the
 * header and does not check that the data follow.
 */
export function npyHeader(start: Uint8Array): NpyHeaderReading {
  const wrong = NPY_MAGIC.findIndex((byte, at) => at < start.length && start[at] !== byte);
  if (wrong >= 0)
    return fault(
      `This is not a .npy file: byte ${wrong} is ${start[wrong]}, and these files begin with 0x93 and NUMPY.`,
    );
  if (start.length < 8) return { kind: 'more', needed: 12 };
  const version = start[6] ?? 0;
  if (version < 1 || version > 3)
    return fault(
      `The file has version ${version}.${start[7]} of the .npy format, and versions 1 to 3 are known. Save it again with np.save.`,
    );
  const textStart = version === 1 ? 10 : 12;
  if (start.length < textStart) return { kind: 'more', needed: 12 };
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MAX_HEADER)
    return fault(
      `The header of the .npy file claims ${countOf(length, 'byte')}, more than ${showCount(MAX_HEADER)}: the file is damaged, or no array of numbers.`,
    );
  const dataStart = textStart + length;
  if (start.length < dataStart) return { kind: 'more', needed: dataStart };
  const text = start.subarray(textStart, dataStart);
  const bad = version === 3 ? findBadByte(text) : undefined;
  if (bad !== undefined)
    return fault(`The header of the .npy file is not UTF-8: byte ${textStart + bad} begins no character.`);
  return readHeaderText(strFromU8(text, version !== 3), textStart, dataStart);
}

function readHeaderText(text: string, textStart: number, dataStart: number): NpyHeaderReading {
  const reading = readPythonLiteral(text);
  if (reading.kind === 'fault')
    return fault(
      `The header of the .npy file is broken at byte ${textStart + reading.at}: ${reading.problem}.`,
    );
  const entries = reading.value;
  if (!isEntries(entries)) return fault(`The header of the .npy file is not a dictionary with ${KEYS}.`);
  const keys = [...entries.keys()].sort().join(', ');
  if (keys !== 'descr, fortran_order, shape')
    return fault(`The header of the .npy file names ${keys || 'nothing'}, and it has to name ${KEYS}.`);
  const type = readDescr(entries.get('descr') ?? null);
  if (type.kind === 'fault') return type;
  const order = entries.get('fortran_order');
  if (typeof order !== 'boolean')
    return fault('The header of the .npy file has a fortran_order that is neither True nor False.');
  const shape = readSizes(entries.get('shape'));
  if (!shape)
    return fault(
      'The header of the .npy file has a shape that is not a tuple of sizes from 0 to 9007199254740991.',
    );
  const bytes = countBytes(shape.map(BigInt), type.bytes);
  if (bytes > BigInt(Number.MAX_SAFE_INTEGER))
    return fault(
      `The header of the .npy file claims the shape (${shape.join(', ')}), which takes ${countOf(bytes, 'byte')}: more than any file has.`,
    );
  const { dtype, byteOrder } = type;
  const header: NpyHeader = {
    dtype,
    shape,
    byteOrder,
    order: order ? 'Fortran' : 'C',
    dataStart,
    dataEnd: dataStart + Number(bytes),
  };
  return { kind: 'ok', header };
}

/** NumPy types without a tensor data type, by kind code. */
const REFUSED: Readonly<Record<string, string>> = {
  O: 'Python objects, which are stored as code that is not run here. Save an array of numbers',
  S: 'byte strings. Save an array of numbers',
  a: 'byte strings. Save an array of numbers',
  U: 'texts. Save an array of numbers',
  T: 'texts. Save an array of numbers',
  M: 'dates (datetime64). Save them as numbers: array.astype("int64")',
  m: 'durations (timedelta64). Save them as numbers: array.astype("int64")',
};

interface NpyType {
  readonly kind: 'ok';
  readonly dtype: DtypeName;
  readonly bytes: number;
  readonly byteOrder: 'little' | 'big';
}

function readDescr(descr: Literal): NpyType | Fault {
  if (typeof descr !== 'string')
    return fault(
      'The .npy file holds records (a structured type), not plain numbers. Save one of their fields: np.save("x.npy", array["name"]).',
    );
  const [, mark = '', letter = '', size = ''] =
    /^([<>=|]?)([A-Za-z?])([0-9]*)(?:\[[^\]]*\])?$/.exec(descr) ?? [];
  const code = letter === '?' ? 'b1' : letter + size;
  // `=` and no mark mean the byte order of the writing machine;
  // for the types that are left, that is taken as little-endian.
  const row = DTYPES.find(candidate => 'npy' in candidate && candidate.npy.slice(1) === code);
  if (row)
    return {
      kind: 'ok',
      dtype: row.name,
      bytes: row.bytes,
      byteOrder: mark === '>' && row.bytes > 1 ? 'big' : 'little',
    };
  return fault(`The .npy file holds ${describeRefused(letter, size, descr)}.`);
}

function describeRefused(letter: string, size: string, descr: string): string {
  const refused = REFUSED[letter];
  if (refused !== undefined) return refused;
  if (letter === 'V' || (letter === 'f' && size === '1'))
    return `elements of ${countOf(Number(size), 'byte')} whose type it does not name (${quote(descr)}): bfloat16 and float8 arrays are saved so. Save them as safetensors, which names them, or cast them: array.astype("float32")`;
  if (letter === 'f' || letter === 'g' || letter === 'c' || letter === 'G')
    return `long doubles (${quote(descr)}), which every machine lays out in its own way. Cast them: array.astype("${letter.toLowerCase() === 'c' || letter === 'G' ? 'complex128' : 'float64'}")`;
  return `elements of the type ${quote(descr)}, which is not known here. Cast them to a type such as float32`;
}
