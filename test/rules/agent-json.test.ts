import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AGENT_JSON_RULES } from '../../core/catalog/agent-json-rules.ts';
import type { RuleRow } from '../../core/catalog/rule-row.ts';
import { DEFAULT_SETTINGS, settingsOfFile } from '../../core/catalog/settings.ts';
import { applyEdits } from '../../core/text/edit.ts';
import type { Issue } from '../../core/text/issue.ts';
import { checkedLanguages } from '../../language/agent-json/checked.ts';
import { ALL_MESSAGES } from '../../protocols/all.ts';
import { readMarks } from '../support/marks.ts';
import { toolsWithSchema } from '../support/schema-tools.ts';

const SUPPORT = checkedLanguages(ALL_MESSAGES.list)['agent-json'];

function validate(text: string, { schema }: Pick<RuleRow, 'schema'>): readonly Issue[] {
  const document = SUPPORT.open(text, settingsOfFile(DEFAULT_SETTINGS, 'x.mcp.jsonc'));
  return (schema === undefined ? document : document.withTools(toolsWithSchema(schema))).validate();
}

describe('rules of requests in JSON', () => {
  for (const row of AGENT_JSON_RULES as readonly RuleRow[]) {
    it(`${row.code} has good and bad examples`, () => assert.ok(row.good.length > 0 && row.bad.length > 0));
    for (const good of row.good)
      it(`${row.code} finds nothing in ${good}`, () => assert.deepEqual(validate(good, row), []));
    for (const bad of row.bad) {
      const { text, spans } = readMarks(bad);
      it(`${row.code} finds ${bad} at its marks, and nothing else`, () => {
        const found = validate(text, row);
        assert.deepEqual(
          found.map(({ code, severity, span }) => ({ code, severity, span })),
          spans.map(span => ({ code: row.code, severity: row.severity, span })),
        );
        for (const { message } of found) assert.match(message, /^['A-Z].*[^.]$/);
      });
      it(`${row.code} has only fixes for ${bad} that repair it`, () => {
        for (const fix of validate(text, row).flatMap(issue => issue.fixes ?? []))
          assert.deepEqual(validate(applyEdits(text, fix.edits), row), [], fix.title);
      });
    }
  }
});
