import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS, readSettings, SETTINGS, type SettingRow } from '../../../core/catalog/settings.ts';

/** An environment may have any name, and no trace need be stored. */
function fits(key: string, value: unknown): boolean {
  return (key === 'environment' && typeof value === 'string') || (key === 'trace.keepTraces' && value === 0);
}

describe('settings', () => {
  it('describe each of their values', () => {
    const rows: readonly SettingRow[] = SETTINGS;
    for (const { key, values, valueSummaries } of rows)
      assert.equal(valueSummaries?.length, values?.length, key);
  });

  it('leave out what does not fit their rows', () => {
    const wrong = [1.5, 0, NaN, Infinity, '10', null, undefined, 'true', 'stric', {}, []];
    for (const value of wrong)
      assert.deepEqual(
        readSettings(key => (fits(key, value) ? undefined : value)),
        DEFAULT_SETTINGS,
        JSON.stringify(value) ?? 'undefined',
      );
  });

  it('take what fits', () => {
    const values = new Map<string, unknown>([
      ['aicl.profile', 'chat'],
      ['maxIssues', 1],
      ['workspaceDiagnostics', true],
      ['rules', { 'aicl/fragment': 'off' }],
    ]);
    assert.deepEqual(
      readSettings(key => values.get(key)),
      {
        ...DEFAULT_SETTINGS,
        'aicl.profile': 'chat',
        maxIssues: 1,
        workspaceDiagnostics: true,
        rules: new Map([['aicl/fragment', 'off']]),
      },
    );
  });
});
