import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AICF_COMMANDS } from '../../protocol/src/catalog/aicf.ts';
import { MESSAGE_TYPES } from '../../protocol/src/catalog/aicl.ts';
import { messageSnippet } from '../../protocol/src/aicl/features/completion.ts';
import { AICF_GRAMMAR } from '../../syntaxes/src/aicf.ts';
import { AICL_GRAMMAR } from '../../syntaxes/src/aicl.ts';
import type { Grammar } from '../../syntaxes/src/grammar.ts';
import { ROOT } from '../root.ts';
import { fillManifest } from './manifest.ts';
import { REFERENCE_PAGES } from './reference.ts';

/** A generated file: where it stands, from the root, and what is in it. */
export interface Output {
  readonly path: string;
  readonly content: string;
}

const MARK = 'Generated from protocol/src/catalog by "npm run generate". Do not edit.';

/** All generated files. The same catalog gives the same bytes. */
export function generateAll(): readonly Output[] {
  const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return [
    { path: 'package.json', content: printJson(fillManifest(manifest)) },
    grammarFile('syntaxes/aicl.tmLanguage.json', AICL_GRAMMAR),
    grammarFile('syntaxes/aicf.tmLanguage.json', AICF_GRAMMAR),
    { path: 'syntaxes/aicl.snippets.json', content: printJson(aiclSnippets()) },
    { path: 'syntaxes/aicf.snippets.json', content: printJson(aicfSnippets()) },
    ...REFERENCE_PAGES.map(page => ({
      path: `docs/reference/${page.name}.md`,
      content: `<!-- ${MARK} -->\n\n${page.print()}`,
    })),
  ];
}

function grammarFile(file: string, grammar: Grammar): Output {
  return { path: file, content: printJson({ $generated: MARK, ...grammar }) };
}

function aiclSnippets(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    MESSAGE_TYPES.map(row => [
      row.name,
      { prefix: row.name, description: `${row.name}: ${row.summary}`, body: messageSnippet(row).split('\n') },
    ]),
  );
}

function aicfSnippets(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    AICF_COMMANDS.map(row => [
      row.name,
      { prefix: row.name, description: `${row.syntax}: ${row.summary}`, body: row.snippet },
    ]),
  );
}

function printJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
