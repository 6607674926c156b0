import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isListOf, isOptional, isShape, isString, type Guard } from '../../core/guard.ts';
import { ROOT } from '../root.ts';
import { page, table } from './markdown-parts.ts';
import type { ReferencePage } from './reference.ts';

/** What one protocol document says in one place, and where that is shown to work. */
export interface Statement {
  readonly section: string;
  /** The statement in our words. */
  readonly statement: string;
  /** The tests, samples and pages that prove it, as paths relative to the project; a test may name its title. */
  readonly proof: readonly Proof[];
  /** Why it is not built, or how it is read. */
  readonly note?: string;
}

export interface Proof {
  readonly path: string;
  /** A text that the file contains: the title of the test. */
  readonly title?: string;
  /** Which part of the file it is, in words, where its title is composed while the test runs. */
  readonly about?: string;
}

export interface DocumentStatements {
  readonly document: string;
  readonly statements: readonly Statement[];
}

const FOLDER = 'scripts/generate/statements';

/** The documents in the order of the page. */
const FILES = ['lightaicl', 'aicf-rpc', 'aio-mcp', 'openstarry', 'agent-api'] as const;

/** The statements of all documents. `test/architecture/documents.test.ts` checks them. */
export function readStatements(): readonly DocumentStatements[] {
  return FILES.map(file => {
    const read: unknown = JSON.parse(readFileSync(join(ROOT, FOLDER, `${file}.json`), 'utf8'));
    if (!isDocument(read)) throw new Error(`${FOLDER}/${file}.json: a statement has another form`);
    return read;
  });
}

const isProof: Guard<Proof> = isShape({
  path: isString,
  title: isOptional(isString),
  about: isOptional(isString),
});
const isStatement: Guard<Statement> = isShape({
  section: isString,
  statement: isString,
  proof: isListOf(isProof),
  note: isOptional(isString),
});
const isDocument: Guard<DocumentStatements> = isShape({
  document: isString,
  statements: isListOf(isStatement),
});

/** docs/reference/documents.md: each statement of the five documents with its proof. */
export const DOCUMENTS_PAGE: ReferencePage = { name: 'documents', print: printDocuments };

function printDocuments(): string {
  const documents = readStatements();
  const rows = documents.map(({ document, statements }) => {
    const proven = statements.filter(({ proof }) => proof.length > 0).length;
    return [document, String(statements.length), String(proven), String(statements.length - proven)];
  });
  return page(
    '# The protocol documents, statement by statement',
    'Each statement of the five protocol documents, in our words, with what proves that Parley follows it: a test, a sample or a page of the documentation. A statement without a proof says why.',
    table(['document', 'statements', 'proven', 'not built, with the reason'], rows),
    ...documents.flatMap(({ document, statements }) => [
      `## ${document}`,
      table(
        ['section', 'statement', 'proof'],
        statements.map(each => [each.section, each.statement, printProof(each)]),
      ),
    ]),
  );
}

function printProof({ proof, note }: Statement): string {
  const links = proof.map(
    ({ path, title, about }) => `[${title ?? about ?? path.slice(path.lastIndexOf('/') + 1)}](../../${path})`,
  );
  return [...links, ...(note === undefined || note === '' ? [] : [note])].join('; ');
}
