import type { PasskeyAssertion, SecondFactorWay } from '@candela/contract';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApiError } from '../../shell/api/client.ts';
import { type FormErrors, type Problem, toFormErrors } from '../../shell/forms/form-errors.ts';
import { retype } from '../components/retype.ts';
import { canUsePasskeys } from '../passkey/passkey-support.ts';
import { type PasskeyProof, proveByPasskey } from '../passkey/prove-by-passkey.ts';

/** One of the fields that the endpoints take. */
type SecondFactorBody = { totp: string } | { recoveryCode: string } | { passkey: PasskeyAssertion };

export interface SecondFactorEntry {
  way: SecondFactorWay;
  text: string;
  input: RefObject<HTMLInputElement | null>;
  /** What stands in the place of the field where a passkey is asked for. */
  words: RefObject<HTMLParagraphElement | null>;
  /** Of the field. */
  problem: Problem | undefined;
  /** Of the whole form. */
  formProblem: Problem | undefined;
  refusals: number;
  setText: (text: string) => void;
  choose: (way: SecondFactorWay) => void;
  refuse: (error: ApiError) => void;
  /**
   * Sends what the person entered, or the passkey that the browser is asked for.
   * @param code the code of the app, where it is newer than `text`
   * @returns undefined where nothing was sent: the field is blank, or the person gave up the passkey
   * @throws ApiError of the endpoints
   */
  send: <Result>(
    use: (body: SecondFactorBody) => Promise<Result>,
    options: PasskeyProof<Result>['options'],
    code?: string,
  ) => Promise<Result | undefined>;
}

const ofField: readonly string[] = ['totp_incorrect', 'recovery_code_incorrect', 'code_blank'];
const isOfFactor = ({ code }: ApiError): boolean => ofField.includes(code);

/**
 * What a person enters to pass a second factor. The first of `ways` that this browser can use is asked for; where it
 * can use none, the first of all, whose refusal says so. It has the focus at once.
 */
export const useSecondFactor = (ways: readonly SecondFactorWay[]): SecondFactorEntry => {
  const usable = ways.filter((way) => way !== 'passkey' || canUsePasskeys());
  const [way, setWay] = useState<SecondFactorWay>(usable[0] ?? ways[0] ?? 'recovery_code');
  const [text, setText] = useState('');
  const [errors, setErrors] = useState<FormErrors<'factor'>>({});
  const [refusals, setRefusals] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const words = useRef<HTMLParagraphElement>(null);
  // Each way has a field or words of its own, which take the focus of the button that chose it.
  // The field takes it before it is painted, so that no key is lost, and the words after the title did.
  useLayoutEffect(() => input.current?.focus(), [way]);
  useEffect(() => words.current?.focus(), [way]);

  const show = (next: FormErrors<'factor'>) => {
    setErrors(next);
    setRefusals((count) => count + 1);
    if (next.factor) retype(input);
  };
  const send: SecondFactorEntry['send'] = async (use, options, code = text) => {
    setErrors({});
    if (way === 'passkey') return proveByPasskey({ options, use: (passkey) => use({ passkey }) });
    if (code.trim()) return use(way === 'totp' ? { totp: code } : { recoveryCode: code });
    show({ factor: { code: 'code_blank' } });
    return undefined;
  };
  return {
    way,
    text,
    input,
    words,
    problem: errors.factor,
    formProblem: errors.form,
    refusals,
    setText: (typed) => {
      if (errors.factor && typed !== text) setErrors({});
      setText(typed);
    },
    choose: (next) => {
      setWay(next);
      setText('');
      setErrors({});
    },
    refuse: (error) => show(isOfFactor(error) ? { factor: { code: error.code } } : toFormErrors(error, [])),
    send,
  };
};
