import type { ErrorCode } from '@candela/contract';
import { passwordRules } from '@candela/contract/rules/password';
import { useTranslation } from 'react-i18next';
import type { ApiError, ApiErrorCode } from '../api/client.ts';
import { boot } from '../boot.ts';
import { formatDistance } from '../language/format.ts';
import { useLocale } from '../language/use-locale.ts';

/** A code of the contract, or `password_not_latin`: the server calls a letter of another script a symbol. */
export type PasswordProblem = ErrorCode | 'password_not_latin';

type ProblemCode = ApiErrorCode | PasswordProblem | 'agreements_changed' | 'provider_unproven';

/** An error as a code. Its text follows the language, also while it is on screen. */
export interface Problem {
  code: ProblemCode;
  retryAfterSeconds?: number | undefined;
}

/** Problems by field. `form` holds the problem of the whole form. */
export type FormErrors<Field extends string> = Partial<Record<Field | 'form', Problem>>;

const fieldOf = (code: ApiErrorCode): string => {
  if (/^(identifier|phone|email)_/.test(code)) return 'identifier';
  if (code.startsWith('code_')) return 'code';
  if (code.startsWith('password_') || code === 'invalid_credentials') return 'password';
  return code === 'agreements_required' ? 'agreements' : 'form';
};

/** The problems of a refusal by field. A problem of none of `fields` is the problem of the whole form. */
export const toFormErrors = <Field extends string>(
  error: Pick<ApiError, 'code' | 'fields' | 'retryAfterSeconds'>,
  fields: readonly Field[],
): FormErrors<Field> => {
  const place = (name: string): Field | 'form' => fields.find((field) => field === name) ?? 'form';
  const entries: [string, ErrorCode][] = Object.entries(error.fields);
  if (entries.length === 0) {
    const { code, retryAfterSeconds } = error;
    return { [place(fieldOf(code))]: { code, retryAfterSeconds } } as FormErrors<Field>;
  }
  return Object.fromEntries(entries.map(([name, code]) => [place(name), { code }])) as FormErrors<Field>;
};

/** The groups of texts that tell errors. Only where the codes of the last three are received are these loaded. */
const groups = ['flow', 'developers', 'desk', 'providers'] as const;

/** The sentence for a problem, in the language on screen. */
export const useProblemText = (): ((problem: Problem) => string) => {
  const { t } = useTranslation();
  const locale = useLocale();
  return ({ code, retryAfterSeconds }) => {
    if (code === 'rate_limited' && retryAfterSeconds) {
      return t('app.retryWhen', { when: formatDistance(retryAfterSeconds, locale) });
    }
    // Each group has a text for each of its codes, or does not compile. A server that is newer may send others.
    const keys = [`errors.${code}`, `providerErrors.${code}`, 'errors.internal_error'];
    return t(keys as 'errors.internal_error'[], {
      ns: groups,
      min: passwordRules[boot.passwordProfile].min,
    });
  };
};
