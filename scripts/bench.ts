import { globSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBenchmark, type Benchmark, type Row } from '../bench/benchmark.ts';
import { ROOT } from './root.ts';

const ENDING = '.bench.ts';

/** `npm run bench [name…]`: prints a table for each benchmark; fails if a result is slower than its limit. */
async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const names = globSync(`*${ENDING}`, { cwd: join(ROOT, 'bench') })
    .map(file => basename(file, ENDING))
    .sort();
  const unknown = wanted.filter(name => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`No benchmark is named ${unknown.join(', ')}; there are ${names.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  console.log(
    `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`,
  );
  for (const name of wanted.length > 0 ? wanted : names) {
    const benchmark = await loadBenchmark(name);
    const rows = await benchmark.measure();
    console.log(`\n${benchmark.title} (npm run bench ${name})\n${formatRows(rows)}`);
    if (!isWithinLimit(rows, benchmark)) {
      console.log(`✗ slower than ${benchmark.limit} times the peer`);
      process.exitCode = 1;
    }
    for (const { text, holds } of rows.flatMap(row => compare(row, rows))) {
      console.log(`${holds ? ' ' : '✗'} ${text}`);
      if (!holds) process.exitCode = 1;
    }
  }
}

async function loadBenchmark(name: string): Promise<Benchmark> {
  const module: unknown = await import(pathToFileURL(join(ROOT, 'bench', `${name}${ENDING}`)).href);
  const benchmark =
    typeof module === 'object' && module !== null && 'benchmark' in module ? module.benchmark : undefined;
  if (!isBenchmark(benchmark)) throw new Error(`bench/${name}${ENDING} exports no benchmark`);
  return benchmark;
}

/** Compares our row with the first peer; true if one of them is missing. */
function isWithinLimit(rows: readonly Row[], { limit = Number.POSITIVE_INFINITY }: Benchmark): boolean {
  const ours = rows.find(row => row.kind === 'ours');
  const peer = rows.find(row => row.kind === 'peer');
  return ours === undefined || peer === undefined || ours.medianMs <= peer.medianMs * limit;
}

interface Finding {
  readonly text: string;
  readonly holds: boolean;
}

/** The results of a row: comparisons with other rows, and violations of its own limits. */
function compare(row: Row, rows: readonly Row[]): readonly Finding[] {
  const { name, medianMs, maxMs = Number.POSITIVE_INFINITY, fault } = row;
  const faults = [
    ...(medianMs <= maxMs ? [] : [`more than ${maxMs} ms`]),
    ...(fault === undefined ? [] : [fault]),
  ];
  const findings = (row.against ?? []).flatMap(({ row: other, atLeast = 0 }) => {
    const peer = rows.find(candidate => candidate.name === other);
    if (!peer) return [];
    const times = peer.medianMs / medianMs;
    const wanted = atLeast > 0 ? ` (at least ${atLeast})` : '';
    const text = `${name}: ${times.toFixed(2)} times as fast as ${other}${wanted}`;
    return [{ text, holds: times >= atLeast }];
  });
  return [...findings, ...faults.map(text => ({ text: `${name}: ${text}`, holds: false }))];
}

function formatRows(rows: readonly Row[]): string {
  const peer = rows.find(row => row.kind === 'peer');
  const isCompared = rows.some(row => row.against !== undefined);
  const width = Math.max(...rows.map(row => row.name.length));
  const lines = rows.map(row => {
    // Rows that name their peers are listed below the table.
    const times =
      peer === undefined || isCompared ? '' : `${(row.medianMs / peer.medianMs).toFixed(2).padStart(7)} ×`;
    const cells = [
      row.kind.padEnd(5),
      row.name.padEnd(width),
      `${row.medianMs.toFixed(1).padStart(9)} ms`,
      times,
    ];
    return `  ${cells.join('  ')}  ${String(row.runs).padStart(3)} runs  ${row.note ?? ''}`.trimEnd();
  });
  return lines.join('\n');
}

await main();
