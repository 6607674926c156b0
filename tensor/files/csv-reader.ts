import { strFromU8 } from 'fflate';
import { countOf, showCount } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { CsvNumbers } from './csv-numbers.ts';
import { readCsvValue } from './csv-value.ts';
import { fault, type Fault, type FileReading } from './file-format.ts';

/** The maximum size of a file, because it is read as one string, and the length of strings is limited. */
const MAX_BYTES = 2 ** 28;

/** The ways to split a line, in the order in which they are tried. */
const SEPARATORS: readonly ((line: string) => readonly string[])[] = [
  line => line.split('\t'),
  line => line.split(';'),
  line => line.split(','),
  // The format of `numpy.savetxt`.
  line => line.trim().split(/[ \t]+/),
];

type Split = (line: string) => readonly string[];

/**
 * Reads a CSV file with one row for each line, separated by commas, semicolons, tabs or blanks; one value for each line
 * gives one axis. The first line may be a header. Blank lines and lines that begin with # are skipped.
 */
export function readCsv(bytes: Uint8Array): FileReading {
  if (bytes.length > MAX_BYTES)
    return fault(
      `The file has ${countOf(bytes.length, 'byte')}, and text is read up to ${showCount(MAX_BYTES)}. Save it as an .npy file.`,
    );
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return fault('The file is UTF-16. Save it as UTF-8.');
  return new CsvReader().read(strFromU8(bytes).replace(/^\ufeff/, ''));
}

class CsvReader {
  readonly #numbers = new CsvNumbers();
  #split: Split | undefined;
  #header: string | undefined;
  #skipped = 0;
  #columns = 0;
  #rows = 0;

  read(text: string): FileReading {
    const source = text.includes('\n') ? text : text.replaceAll('\r', '\n');
    for (let start = 0, line = 1; start < source.length; line++) {
      const found = source.indexOf('\n', start);
      const end = found < 0 ? source.length : found;
      const problem = this.#readLine(source.slice(start, end).replace(/\r$/, ''), line);
      if (problem) return problem;
      start = end + 1;
    }
    if (this.#rows === 0) return this.#refuseEmpty();
    const { dtype, bytes, notes } = this.#numbers.finish();
    const shape = this.#columns === 1 ? [this.#rows] : [this.#rows, this.#columns];
    return {
      kind: 'ok',
      tensors: [{ name: '', tensor: { dtype, shape, bytes } }],
      notes: [...this.#lineNotes(), ...notes],
    };
  }

  #refuseEmpty(): Fault {
    const first = this.#header === undefined ? '' : `: it begins with ${quote(this.#header)}`;
    return fault(`The file has no line of numbers${first}.`);
  }

  #lineNotes(): readonly string[] {
    return [
      ...(this.#header === undefined ? [] : [`The line ${quote(this.#header)} was taken as a header.`]),
      ...(this.#skipped === 0
        ? []
        : [`Skipped, because blank or a comment with #: ${countOf(this.#skipped, 'line')}.`]),
    ];
  }

  #readLine(line: string, number: number): Fault | undefined {
    if (line.trim() === '' || line.startsWith('#')) {
      this.#skipped++;
      return undefined;
    }
    const split = this.#split ?? SEPARATORS.find(candidate => candidate(line).every(isValue));
    const fields = (split ?? guessSplit(line))(line);
    if (!split && this.#header === undefined && !fields.every(isMeantAsNumber)) {
      this.#header = line;
      return undefined;
    }
    this.#split = split;
    if (this.#rows > 0 && fields.length !== this.#columns)
      return fault(
        `Line ${number} has ${countOf(fields.length, 'value')}, and the lines before it have ${this.#columns}.`,
      );
    this.#columns = fields.length;
    this.#rows++;
    for (const [column, field] of fields.entries()) {
      const value = readCsvValue(bare(field));
      const problem = value ? this.#numbers.add(value, number) : describeInvalid(bare(field));
      if (problem !== undefined) return fault(`Line ${number}, value ${column + 1}: ${problem}`);
    }
    return undefined;
  }
}

function isValue(field: string): boolean {
  return readCsvValue(bare(field)) !== undefined;
}

const DECIMAL_COMMA = /^[+-]?[0-9]+,[0-9]+$/;
const DECIMAL = /^[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?$/;

/** True for a number, also with a decimal comma or out of range: a line of these is not a header. */
function isMeantAsNumber(field: string): boolean {
  const text = bare(field);
  return DECIMAL_COMMA.test(text) || DECIMAL.test(text) || readCsvValue(text) !== undefined;
}

/** A field without surrounding blanks and quotation marks. */
function bare(field: string): string {
  const trimmed = field.trim();
  return trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"')
    ? trimmed.slice(1, -1)
    : trimmed;
}

function guessSplit(line: string): Split {
  return SEPARATORS.find(split => split(line).length > 1) ?? (whole => [whole]);
}

function describeInvalid(field: string): string {
  if (field === '') return 'the value is empty. Write nan for a value that is missing.';
  if (DECIMAL_COMMA.test(field)) return `${quote(field)} is not a number: a decimal has a point.`;
  if (DECIMAL.test(field)) return `${quote(field)} is beyond what a float64 holds.`;
  return `${quote(field)} is not a number.`;
}
