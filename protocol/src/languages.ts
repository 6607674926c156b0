import { complete as completeAicf } from './aicf/features/completion.ts';
import { folds as foldsAicf } from './aicf/features/folds.ts';
import { hover as hoverAicf } from './aicf/features/hover.ts';
import { requests as requestsAicf } from './aicf/features/requests.ts';
import { symbols as symbolsAicf } from './aicf/features/symbols.ts';
import { formatAicf } from './aicf/format.ts';
import { parseAicf } from './aicf/parse.ts';
import { complete as completeAicl } from './aicl/features/completion.ts';
import { folds as foldsAicl } from './aicl/features/folds.ts';
import { hover as hoverAicl } from './aicl/features/hover.ts';
import { requests as requestsAicl } from './aicl/features/requests.ts';
import { symbols as symbolsAicl } from './aicl/features/symbols.ts';
import { formatAicl } from './aicl/format.ts';
import { editAicl, parseAicl } from './aicl/parse.ts';
import { LANGUAGES, type LanguageId } from './catalog/languages.ts';
import { bindLanguage, type LanguageSupport } from './language/support.ts';
import { validateAicf } from './validate/aicf/validate.ts';
import { checkAiclUnit, validateAicl } from './validate/aicl/unit.ts';

/** The languages, each bound from its parts: what the server, the command line and the tests ask. */
export const LANGUAGE_SUPPORT: Readonly<Record<LanguageId, LanguageSupport>> = {
  aicl: bindLanguage('aicl', {
    parse: (text, settings) => parseAicl(text, settings, checkAiclUnit),
    edit: (doc, edit) => editAicl(doc, edit, checkAiclUnit),
    validate: validateAicl,
    hover: hoverAicl,
    complete: completeAicl,
    symbols: symbolsAicl,
    folds: foldsAicl,
    format: formatAicl,
    requests: requestsAicl,
  }),
  aicf: bindLanguage('aicf', {
    parse: (text, settings) => parseAicf(text, settings),
    validate: validateAicf,
    hover: hoverAicf,
    complete: completeAicf,
    symbols: symbolsAicf,
    folds: foldsAicf,
    format: formatAicf,
    requests: requestsAicf,
  }),
};

/** The language of a file by its name's ending; undefined for other files. */
export function languageOfFile(name: string): LanguageId | undefined {
  return LANGUAGES.find(row => name.toLowerCase().endsWith(row.extension))?.id;
}
