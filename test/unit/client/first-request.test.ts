import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AICF_FILE, AICL_FILE, writeFirstRequest } from '../../../client/src/features/start/first-request.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { PROTOCOLS } from '../../../core/catalog/protocols.ts';
import { DEFAULT_SETTINGS, settingsOfFile } from '../../../core/catalog/settings.ts';
import { checkedLanguages } from '../../../language/agent-json/checked.ts';
import { ALL_MESSAGES } from '../../../protocols/all.ts';

const SUPPORT = checkedLanguages(ALL_MESSAGES.list);

function check(language: LanguageId, text: string, name = `request.${language}`): object {
  const document = SUPPORT[language].open(text, settingsOfFile(DEFAULT_SETTINGS, name));
  return { requests: document.requests().length, issues: document.validate(), edits: [...document.format()] };
}

const CLEAN = { requests: 1, issues: [], edits: [] };

describe('the request of a new file', () => {
  it('in AICF or AICL has no faults and is formatted', () => {
    assert.deepEqual([check('aicf', AICF_FILE), check('aicl', AICL_FILE)], [CLEAN, CLEAN]);
  });

  for (const row of PROTOCOLS)
    if ('requests' in row)
      it(`in the JSON of ${row.title} has no faults`, () => {
        const text = `${writeFirstRequest(row.name).trim()}\n`;
        assert.deepEqual(check('agent-json', text, `request${row.requests.files[0]}`), CLEAN);
      });
});
