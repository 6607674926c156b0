import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AGENT_JSON_GRAMMAR } from '../../syntaxes/src/agent-json.ts';
import { AICF_GRAMMAR } from '../../syntaxes/src/aicf.ts';
import { AICL_GRAMMAR } from '../../syntaxes/src/aicl.ts';
import type { Grammar } from '../../syntaxes/src/grammar.ts';
import { MARKDOWN_GRAMMAR } from '../../syntaxes/src/markdown.ts';
import { SSE_GRAMMAR } from '../../syntaxes/src/sse.ts';
import { ROOT } from '../root.ts';
import { CONVERSIONS_PAGE } from './conversions.ts';
import { fillManifest } from './manifest.ts';
import { REFERENCE_PAGES } from './reference.ts';

/** A generated file: its path relative to the project, and its content. */
export interface Output {
  readonly path: string;
  readonly content: string;
}

const MARK = 'Generated from core/catalog by "npm run generate". Do not edit.';

/** All generated files. The output is deterministic. */
export function generateAll(): readonly Output[] {
  const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return [
    { path: 'package.json', content: printJson(fillManifest(manifest)) },
    grammarFile('syntaxes/aicl.tmLanguage.json', AICL_GRAMMAR),
    grammarFile('syntaxes/aicf.tmLanguage.json', AICF_GRAMMAR),
    grammarFile('syntaxes/agent-json.tmLanguage.json', AGENT_JSON_GRAMMAR),
    grammarFile('syntaxes/markdown.tmLanguage.json', MARKDOWN_GRAMMAR),
    grammarFile('syntaxes/sse.tmLanguage.json', SSE_GRAMMAR),
    ...[...REFERENCE_PAGES, CONVERSIONS_PAGE].map(page => ({
      path: `docs/reference/${page.name}.md`,
      content: `<!-- ${MARK} -->\n\n${page.print()}`,
    })),
  ];
}

function grammarFile(file: string, grammar: Grammar): Output {
  return { path: file, content: printJson({ $generated: MARK, ...grammar }) };
}

function printJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
