import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, it } from 'mocha';
import { analyse } from 'scslre';
import { isListOf, isShape, isString } from '../../core/guard.ts';
import { listSources } from '../../scripts/architecture/graph.ts';
import { ROOT } from '../../scripts/root.ts';
import type { BuiltPattern } from './support/built-patterns.ts';

const ROOMS = /^(core|tensor|language|protocols|trace|wire|agents|cli\/src|server\/src|client\/src)\//;
const isBuiltPatterns = isListOf<BuiltPattern>(isShape({ source: isString, flags: isString }));

/** Why a pattern does not take linear time; empty where it does. */
function listSlow({ source, flags }: BuiltPattern): readonly string[] {
  return analyse({ source, flags }).reports.map(({ type }) => `${type}: /${source}/${flags}`);
}

/** What values, fields and events begin with, and what is special in a text. */
const OPENINGS = [
  '[s:',
  '[s:msg_type]:[s:',
  '[t:',
  '[t:uint8:',
  '[i:',
  '[d:',
  '{{',
  '\\',
  '@',
  '#',
  '|',
  '=',
  ':',
  'OK|',
  'CALL|a|',
  'data:',
  ' ',
  'x',
];

/** Openings that a pattern reads to the end of the line at each of their repetitions, without a match. */
function listRestarts(source: string): readonly string[] {
  const readers = listReaders(source);
  return OPENINGS.filter(opening => {
    const line = opening.repeat(50);
    if (new RegExp(source, 'u').test(line)) return false;
    return readers.some(reader => {
      reader.lastIndex = opening.length;
      return reader.test(line) && reader.lastIndex === line.length;
    });
  });
}

/** For each repeated part of a pattern, what begins like a match and is read to the end of that part. */
function listReaders(source: string): readonly RegExp[] {
  const readers: RegExp[] = [];
  let [read, open] = ['', 0];
  for (const [token, part, repeat] of source.replaceAll('(?=', '(?:').matchAll(TOKEN)) {
    if (part === '(') open++;
    if (part === ')') open--;
    read += token;
    if (repeat) readers.push(new RegExp(`${read}${')'.repeat(open)}`, 'uy'));
  }
  return readers;
}

/** A part of a pattern, with the sign that repeats it without a limit. */
const TOKEN = /(\[(?:\\.|[^\]\\])*\]|\\.|[^\\])([*+]?)/gu;

/** The patterns that modules build while they load. */
async function collect(paths: readonly string[]): Promise<readonly BuiltPattern[]> {
  const worker = new Worker(join(import.meta.dirname, 'support/built-patterns.ts'), {
    workerData: paths.map(path => join(ROOT, path)),
  });
  const [patterns] = (await once(worker, 'message')) as unknown[];
  await worker.terminate();
  assert.ok(isBuiltPatterns(patterns));
  return patterns;
}

/** The patterns of a TextMate grammar, in the syntax of JavaScript. */
function listGrammarPatterns(value: unknown, key = ''): readonly BuiltPattern[] {
  if (typeof value === 'string')
    return PATTERN_KEYS.has(key) ? [{ source: toJavaScript(value), flags: 'u' }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => listGrammarPatterns(inner, name));
}

const PATTERN_KEYS = new Set(['match', 'begin', 'end', 'while']);

/** `\G` is the end of the last match; a back reference in `end` is the text that a group of `begin` matched. */
function toJavaScript(pattern: string): string {
  return pattern.replaceAll('(?:^|\\G)', '^').replaceAll('\\1', '').replaceAll('\\2', '~~~');
}

describe('patterns of TextMate grammars', () => {
  it('take linear time, whatever the line', () => {
    const files = globSync('syntaxes/*.tmLanguage.json', { cwd: ROOT });
    const patterns = files.flatMap(file =>
      listGrammarPatterns(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))),
    );
    assert.ok(patterns.length >= 50, `only ${patterns.length} patterns were found`);
    assert.deepEqual(patterns.flatMap(listSlow), []);
    for (const { source } of patterns) assert.deepEqual(listRestarts(source), [], source);
  });

  it('are found slow where they read the rest of a line again from each opening', () => {
    const key = String.raw`(\[)(s)(:)([^\]\r\n]*)(\])(?=\s*[:：])`;
    assert.deepEqual(listRestarts(key), ['[s:']);
    assert.deepEqual(listRestarts(`^${key}`), []);
  });
});

/** Lint sees patterns that are written out; these are put together from parts, so it cannot. */
describe('patterns that are built from parts', () => {
  const building = listSources(ROOT).filter(
    path => ROOMS.test(path) && readFileSync(join(ROOT, path), 'utf8').includes('new RegExp('),
  );

  it('take linear time, whatever the text', async () => {
    // What needs an editor cannot be loaded here: it copies a pattern that lint has seen.
    const patterns = await collect(building.filter(path => !path.startsWith('client/')));
    assert.ok(patterns.length >= 10, `only ${patterns.length} patterns were built`);
    assert.deepEqual(patterns.flatMap(listSlow), []);
  });

  it('are found slow where they are', () => {
    assert.deepEqual(listSlow({ source: '^(a*)*$', flags: '' }).length > 0, true);
  });
});
