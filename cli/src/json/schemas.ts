import { join } from 'node:path';
import { MAX_CONFIG_BYTES, readRegularFile } from '../../../agents/regular-file.ts';
import { asList, readFields } from '../../../core/text/fields.ts';
import { parseJson } from '../../../core/text/json.ts';

/** The folder of package.json, from this source and from the bundle. */
const ROOT = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../..' : '..');

/** The schema of traces; VS Code has no schemas for lines of JSON, so package.json does not name it. */
const TRACE_LINES = { fileMatch: '*.agenttrace.jsonl', url: './schemas/agenttrace.schema.json' };

/** A kind of JSON file that we ship a schema for. */
export interface JsonKind {
  /** The path of the schema. */
  readonly schema: string;
  /** True where each line is a value of its own. */
  readonly isLines: boolean;
  /** True for configuration files, which may have comments. */
  readonly hasComments: boolean;
  readonly matches: (path: string) => boolean;
}

/** The kinds of JSON files that VS Code checks by our schemas, as package.json lists them, and trace files. */
export async function listJsonKinds(): Promise<readonly JsonKind[]> {
  const manifest = readFields(
    parseJson(String(await readRegularFile(join(ROOT, 'package.json'), MAX_CONFIG_BYTES))),
  );
  const listed = asList(readFields(manifest?.get('contributes'))?.get('jsonValidation'));
  return [...listed, TRACE_LINES].flatMap(row => {
    const fields = readFields(row);
    const [match, url] = [fields?.get('fileMatch'), fields?.get('url')];
    if (typeof match !== 'string' || typeof url !== 'string') return [];
    return [
      {
        schema: join(ROOT, url),
        isLines: match.endsWith('.jsonl'),
        hasComments: !match.startsWith('*'),
        matches: toMatcher(match),
      },
    ];
  });
}

/** A pattern is the end of a path, `/.vscode/agents.json`, a file name, or `*` and the end of one. */
function toMatcher(pattern: string): JsonKind['matches'] {
  const end = pattern.startsWith('*') ? pattern.slice(1) : pattern.startsWith('/') ? pattern : `/${pattern}`;
  return path => `/${path.replaceAll('\\', '/')}`.endsWith(end);
}
