import {
  getLanguageService,
  type CompletionItem,
  type JSONDocument,
  type JSONSchema,
  type LanguageService,
  type TextDocument,
} from 'vscode-json-languageservice';
import { escapeSnippet } from '../../core/text/markup.ts';
import { DEEPEST, parseJson } from '../../core/text/json.ts';
import type { Span } from '../../core/text/span.ts';
import type { WorkCounter } from '../work.ts';
import type {
  ArgumentSchema,
  ArgumentSchemas,
  SchemaFault,
  SchemaProposal,
  SchemaProposals,
  SnippetPart,
} from './argument-schema.ts';
import { scanJson } from './json-scanner.ts';
import { copyArgumentSchemas, copySchema } from './safe-schema.ts';
import { listMends } from './schema-mends.ts';
import { describeSchemaFault } from './schema-words.ts';
import { Settled, settledValue } from './settled.ts';

/*
 * Applies VS Code's JSON language service to JSON in fields. It gets schemas only as copies that take no
 * exponential time, loads nothing, and each operation ends when it has done `MAX_WORK`.
 */

/** Longer JSON is not read, because it is read at each key press. */
const LONGEST = 1 << 16;
/** Limits of the work of an operation, in checks of one value by one schema; long JSON has long values. */
const MAX_WORK = 20_000;
const MAX_WORK_LENGTH = 1 << 28;
/** Maximum number of faults of one value. */
const MAX_FAULTS = 20;
const MAX_PROPOSALS = 200;
const LONGEST_DETAIL = 200;

/** The kind of a completion that is a name, in the numbers of the LSP. */
const PROPERTY = 10;
const NOTHING: SchemaProposals = { names: [], values: [] };

/** The schemas of the arguments of a tool, given by the JSON text of its schema. They are read at first use. */
export class ToolSchemas implements ArgumentSchemas {
  readonly #text: string;
  #schemas: ReadonlyMap<string, ArgumentSchema> | undefined;
  /** False for a schema that cannot be used. */
  #whole: ArgumentSchema | false | undefined;
  readonly #budget: WorkBudget = { left: 0 };
  /** Counts the checks of one value by one schema; undefined outside tests. */
  readonly #work: WorkCounter | undefined;

  constructor(text: string, work?: WorkCounter) {
    this.#text = text;
    this.#work = work;
  }

  find(argument: string): ArgumentSchema | undefined {
    this.#schemas ??= this.#read();
    return this.#schemas.get(argument);
  }

  whole(): ArgumentSchema | undefined {
    if (this.#whole === undefined) {
      const copy = copySchema(this.#text, cost => this.#countWork(cost));
      this.#whole = copy ? new ServedSchema(copy, this.#budget) : false;
    }
    return this.#whole === false ? undefined : this.#whole;
  }

  #read(): ReadonlyMap<string, ArgumentSchema> {
    const copies = copyArgumentSchemas(this.#text, cost => this.#countWork(cost));
    return new Map([...copies].map(([name, schema]) => [name, new ServedSchema(schema, this.#budget)]));
  }

  #countWork(cost: number): void {
    this.#budget.left -= cost;
    if (this.#work) this.#work.count++;
    if (this.#budget.left < 0) throw new Error('too much work');
  }
}

/** The work that the current operation may still do. */
interface WorkBudget {
  left: number;
}

/** The schema of one argument. */
class ServedSchema implements ArgumentSchema {
  readonly #schema: JSONSchema;
  readonly #budget: WorkBudget;
  #service: LanguageService | undefined;

  constructor(schema: JSONSchema, budget: WorkBudget) {
    this.#schema = schema;
    this.#budget = budget;
  }

  check(json: string): readonly SchemaFault[] {
    if (json.length > LONGEST || parseJson(json) === undefined) return [];
    const found = this.#use(json, (service, document, parsed) => service.doValidation(document, parsed));
    const faults = (found ?? []).flatMap(({ range, message, code }) => {
      const span = { start: range.start.character, end: range.end.character };
      const words = typeof message === 'string' ? describeSchemaFault(message, code) : undefined;
      const source = json.slice(span.start, span.end);
      // The service takes a number with a point, such as 1.0, for none that is whole.
      if (!words || (words.types?.includes('integer') && Number.isInteger(parseJson(source)))) return [];
      return [{ span, ...words, mends: listMends(source, words) }];
    });
    // A value of the wrong type is none of the allowed values either.
    const mistyped = new Set(faults.flatMap(({ span, types }) => (types ? [span.start] : [])));
    const shown = faults.filter(({ span, values }) => !values || !mistyped.has(span.start));
    return shown.sort((one, other) => one.span.start - other.span.start).slice(0, MAX_FAULTS);
  }

  complete(json: string, offset: number): SchemaProposals {
    const list = this.#use(json, (service, document, parsed) =>
      service.doComplete(document, document.positionAt(offset), parsed),
    );
    const items = (list?.items ?? []).slice(0, MAX_PROPOSALS);
    const isName = ({ kind }: CompletionItem): boolean => kind === PROPERTY;
    if (items.length === 0) return NOTHING;
    return {
      names: items.filter(isName).flatMap(toName),
      values: items.filter(item => !isName(item)).map(toValue),
    };
  }

  describe(json: string, value: Span): readonly string[] {
    const matches = this.#use(json, (service, document, parsed) =>
      service.getMatchingSchemas(document, parsed),
    );
    const words = (matches ?? [])
      .filter(({ node: { offset, length } }) => offset === value.start && offset + length === value.end)
      .flatMap(({ schema }) => listWords(schema));
    return [...new Set(words)].slice(0, MAX_WORDS);
  }

  /** Runs an operation of the service; undefined if it fails or would be too much work. */
  #use<Result>(
    json: string,
    run: (service: LanguageService, document: TextDocument, parsed: JSONDocument) => PromiseLike<Result>,
  ): Result | undefined {
    // The parser of the service is recursive.
    if (json.length > LONGEST || isTooDeep(json)) return undefined;
    this.#budget.left = Math.min(MAX_WORK, Math.floor(MAX_WORK_LENGTH / Math.max(1, json.length)));
    try {
      this.#service ??= openService(this.#schema);
      const document = toDocument(json);
      return settledValue(run(this.#service, document, this.#service.parseJSONDocument(document)));
    } catch {
      return undefined;
    }
  }
}

/** The maximum number of sentences about a value. */
const MAX_WORDS = 8;

/** What a schema says about its values. */
function listWords({ title, description, enum: values, default: usual }: JSONSchema): readonly string[] {
  const said = [title, description].flatMap(text => (text === undefined || text.trim() === '' ? [] : [text]));
  const listed = values ? [`One of ${values.map(value => JSON.stringify(value)).join(', ')}`] : [];
  return [...said, ...listed, ...(usual === undefined ? [] : [`Default: ${JSON.stringify(usual)}`])];
}

/** The service has no way to load a schema, so it never reads a file or the network. */
function openService(schema: JSONSchema): LanguageService {
  const service = getLanguageService({ promiseConstructor: Settled });
  service.configure({ schemas: [{ uri: 'parley:/argument', fileMatch: ['*'], schema }] });
  return service;
}

/** The JSON as a document of one line, whatever it contains, so that characters of positions are offsets. */
function toDocument(json: string): TextDocument {
  return {
    uri: 'parley:/argument.json',
    languageId: 'json',
    version: 0,
    lineCount: 1,
    getText: () => json,
    positionAt: offset => ({ line: 0, character: offset }),
    offsetAt: ({ character }) => character,
    getLineRange: () => ({ start: { line: 0, character: 0 }, end: { line: 0, character: json.length } }),
    getEOLCharacters: () => '',
  };
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const { kind } of scanJson(json)) {
    if ((kind === '{' || kind === '[') && ++depth > DEEPEST) return true;
    if (kind === '}' || kind === ']') depth--;
  }
  return false;
}

/** A name with the value that the service proposes for it. */
function toName({ filterText, insertText = '', documentation }: CompletionItem): readonly SchemaProposal[] {
  const label = parseJson(filterText ?? '');
  if (typeof label !== 'string') return [];
  const key = escapeSnippet(JSON.stringify(label));
  const rest = insertText.startsWith(`${key}: `) ? insertText.slice(key.length + 2) : '$1';
  return [{ label, detail: toDetail(documentation), value: readSnippet(rest) }];
}

function toValue({ label, insertText = '', documentation, detail }: CompletionItem): SchemaProposal {
  return { label, detail: toDetail(documentation ?? detail), value: readSnippet(insertText) };
}

function toDetail(text: CompletionItem['documentation']): string {
  return typeof text === 'string' ? (text.trim().split('\n')[0] ?? '').slice(0, LONGEST_DETAIL) : '';
}

/** Reads a snippet of the service, without the comma at its end and without line breaks. */
function readSnippet(snippet: string): readonly SnippetPart[] {
  const parts: SnippetPart[] = [];
  let text = '';
  for (const [found, escaped, stop] of snippet.replace(/,$/, '').matchAll(SNIPPET)) {
    if (stop === undefined && found !== '$1') {
      text += escaped ?? found;
      continue;
    }
    parts.push(text, { stop: (stop ?? '').replace(/\\([\\$}])/g, '$1') });
    text = '';
  }
  // Values with members are laid out on several lines.
  const value = text.includes('\n') ? parseJson(text) : undefined;
  return [...parts, value === undefined ? text : JSON.stringify(value)].filter(part => part !== '');
}

/** An escaped character, a place for the cursor with or without text, or other text. */
const SNIPPET = /\\([\\$}])|\$\{1:((?:\\[\\$}]|[^\\}])*)\}|\$1|[^\\$]+|[\\$]/g;
