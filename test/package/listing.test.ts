import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { readFields } from '../../core/text/fields.ts';
import { ROOT } from '../../scripts/root.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const WORKFLOW = '.github/workflows/release.yml';

describe('the listing of the extension', () => {
  const manifest = readFields(JSON.parse(read('package.json'))) ?? new Map<string, unknown>();
  const at = (name: string): unknown => manifest.get(name);

  it('has the words that people search for, and no more than a marketplace takes', () => {
    const keywords = at('keywords');
    assert.ok(Array.isArray(keywords));
    const searched = [
      ...['mcp', 'model context protocol', 'a2a', 'agent2agent', 'openai', 'responses', 'llm', 'agent'],
      ...['inspector', 'opentelemetry', 'json-rpc', 'proxy'],
    ];
    assert.deepEqual(
      searched.filter(word => !keywords.includes(word)),
      [],
    );
    assert.equal(new Set(keywords).size, keywords.length);
    assert.ok(keywords.length <= 30, `${keywords.length} keywords`);
  });

  it('leads to the pages of its repository', () => {
    const repository = String(readFields(at('repository'))?.get('url')).replace(/\.git$/, '');
    assert.equal(at('homepage'), `${repository}#readme`);
    assert.equal(readFields(at('bugs'))?.get('url'), `${repository}/issues`);
    const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT });
    assert.deepEqual(forms.map(form => form.replace(/^.*[\\/]/, '')).sort(), [
      'bug.yml',
      'config.yml',
      'feature.yml',
    ]);
    for (const [link] of read('.github/ISSUE_TEMPLATE/config.yml').matchAll(/https:\S+/g))
      assert.ok(link.startsWith(`${repository}/`), link);
  });

  it('says that no telemetry is sent, and no source uses what sends it', () => {
    assert.match(read('README.md'), /^Parley sends no telemetry/m);
    const sources = globSync('{client,server,cli,agents}/**/*.ts', { cwd: ROOT });
    assert.ok(sources.length > 500);
    assert.deepEqual(
      sources.filter(path => /createTelemetryLogger|TelemetryReporter|isTelemetryEnabled/.test(read(path))),
      [],
    );
  });
});

describe('the release', () => {
  const workflow = read(WORKFLOW);

  it('uses actions by their major version', () => {
    const used = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
    assert.ok(used.length > 3);
    assert.deepEqual(
      used.filter(action => !/^actions\/[a-z-]+@v\d+$/.test(action)),
      [],
    );
  });

  it('runs the commands of the documentation', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const run = [...workflow.matchAll(/run: npm (?:run )?([a-z:]+)$/gm)].map(([, name = '']) => name);
    assert.deepEqual(run, ['ci', 'test', 'package', 'package:npm']);
    assert.deepEqual(
      run.filter(name => name !== 'ci' && scripts[name] === undefined),
      [],
    );
    const documents = read('README.md') + read('CONTRIBUTING.md');
    assert.deepEqual(
      run.filter(name => !new RegExp(`npm (?:run )?${name}\\b`).test(documents)),
      [],
    );
  });

  it('names the secrets that it uses', () => {
    const used = new Set([...workflow.matchAll(/secrets\.([A-Z_]+)/g)].map(([, name = '']) => name));
    const named = [...(/^# Secrets:.*$/m.exec(workflow)?.[0] ?? '').matchAll(/[A-Z]+_[A-Z]+/g)];
    assert.deepEqual([...used].sort(), named.map(([name]) => name).sort());
  });

  it('installs packages without the name of a registry', () => {
    assert.doesNotMatch(read('package-lock.json'), /"resolved"/);
    assert.doesNotMatch(read('.npmrc') + workflow, /https?:/);
  });
});
