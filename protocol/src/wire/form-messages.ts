import { LANGUAGES, type LanguageId } from '../catalog/languages.ts';
import { hasShape, isRecord } from './guard.ts';

/** How a field of a form is filled in. What is typed is a text in each of them. */
export const FIELD_KINDS = [
  'text',
  'integer',
  'number',
  /** `true` or `false`. */
  'boolean',
  /** The number of one of `choices`, from 0. */
  'choice',
  /** The numbers of some of `choices`, a line each. */
  'choices',
  /** A text of each line. */
  'list',
  /** JSON text. */
  'json',
  /** JSON text where it is some, else a text. */
  'any',
] as const;

export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field of a form, made from a property of a JSON Schema. */
export interface FormField {
  /** The property's name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** What is typed is neither shown nor kept. */
  readonly isSecret: boolean;
  /** What it has to hold besides: `integer from 1 to 10`. */
  readonly hint: string;
  readonly choices: readonly FormChoice[];
}

export interface FormChoice {
  readonly label: string;
  /** The value as JSON text. */
  readonly json: string;
}

/** What stands in each field, by its name; a field that is not named is empty, and an empty one that may be left out is. */
export type FormInputs = Readonly<Record<string, string>>;

/** What is wrong, by the name of the field: a sentence each. Under the empty name what is about none of them. */
export type FormFaults = Readonly<Record<string, string>>;

/** A request as it will go out. */
export interface FormPreview {
  readonly language: LanguageId;
  readonly text: string;
}

/** The extension to the page: the whole form. */
export interface ShowForm {
  readonly type: 'show';
  /** What the form is about, and who asks for it. */
  readonly heading: string;
  readonly message: string;
  readonly fields: readonly FormField[];
  readonly inputs: FormInputs;
  /** The word on the button that sends the form. */
  readonly submit: string;
  /** The word on the button that refuses it; absent where closing is all there is. */
  readonly decline?: string;
}

/** The extension to the page: what is wrong with what stands in the fields, and what would be sent. */
export interface FormChecked {
  readonly type: 'checked';
  readonly faults: FormFaults;
  readonly preview?: FormPreview;
}

/** The extension to the page: what becomes of the form; one that is `held` may be sent anyway. */
export interface FormState {
  readonly type: 'state';
  readonly state: (typeof FORM_STATES)[number];
  readonly words: string;
}

const FORM_STATES = ['idle', 'working', 'ok', 'error', 'held'] as const;

export type ToForm = ShowForm | FormChecked | FormState;

const FILLED_STEPS = ['changed', 'submit', 'submitAnyway'] as const;

/** The page to the extension: what stands in the fields now; `submit` sends it, `submitAnyway` whatever is wrong with it. */
export interface FormFilled {
  readonly type: (typeof FILLED_STEPS)[number];
  readonly inputs: FormInputs;
}

/** The page to the extension: show the request in another language. */
export interface ChoosePreview {
  readonly type: 'preview';
  readonly language: LanguageId;
}

/** The page to the extension: its script runs; the form is refused, or left; stop what runs; copy the request. */
export interface FormPlain {
  readonly type: 'ready' | 'decline' | 'cancel' | 'stop' | 'copy';
}

export type FromForm = FormFilled | ChoosePreview | FormPlain;

/** Guards what arrives in the page. */
export function isToForm(value: unknown): value is ToForm {
  if (!isRecord(value)) return false;
  const { type, fields, inputs, faults, preview, decline, state } = value;
  switch (type) {
    case 'show':
      return (
        hasShape(value, { heading: 'string', message: 'string', submit: 'string' }) &&
        ['string', 'undefined'].includes(typeof decline) &&
        Array.isArray(fields) &&
        fields.every(isField) &&
        isTexts(inputs)
      );
    case 'checked':
      return isTexts(faults) && (preview === undefined || isPreview(preview));
    case 'state':
      return hasShape(value, { words: 'string' }) && FORM_STATES.some(name => name === state);
    default:
      return false;
  }
}

/** Guards what arrives from the page. */
export function isFromForm(value: unknown): value is FromForm {
  if (!isRecord(value)) return false;
  const { type, inputs, language } = value;
  if (FILLED_STEPS.some(step => step === type)) return isTexts(inputs);
  if (type === 'preview') return LANGUAGES.some(({ id }) => id === language);
  return ['ready', 'decline', 'cancel', 'stop', 'copy'].some(name => name === type);
}

/** Guards what a form kept of earlier inputs. */
export function isTexts(value: unknown): value is FormInputs {
  return isRecord(value) && Object.values(value).every(each => typeof each === 'string');
}

function isField(value: unknown): value is FormField {
  return (
    hasShape(value, {
      name: 'string',
      title: 'string',
      description: 'string',
      isRequired: 'boolean',
      isSecret: 'boolean',
      hint: 'string',
    }) &&
    FIELD_KINDS.some(kind => kind === value['kind']) &&
    Array.isArray(value['choices']) &&
    value['choices'].every(choice => hasShape(choice, { label: 'string', json: 'string' }))
  );
}

function isPreview(value: unknown): value is FormPreview {
  return hasShape(value, { text: 'string' }) && LANGUAGES.some(({ id }) => id === value['language']);
}
