import { useState } from 'react';
import { type FormErrors, toFormErrors } from '../shell/forms/form-errors.ts';
import { useSubmit } from '../shell/forms/use-submit.ts';

/** The problems of a registration by field, such as `redirect_uris.0`. */
export type Problems = FormErrors<string>;

/**
 * The state of a form of metadata with these fields. A problem of any other field is a problem of the form. `placeOf`
 * names the field of the form for one of the server’s, where the form has another.
 */
export const useRegistration = <Arguments extends unknown[]>(
  fields: readonly string[],
  action: (...args: Arguments) => Promise<void>,
  placeOf: (field: string) => string = (field) => field,
) => {
  const [problems, setProblems] = useState<Problems>({});
  const [refusals, setRefusals] = useState(0);
  const refuse = (found: Problems) => {
    setProblems(found);
    setRefusals((count) => count + 1);
  };
  const clear = () => {
    setProblems({});
    setRefusals(0);
  };
  const { busy, run } = useSubmit(
    async (...args: Arguments) => {
      clear();
      await action(...args);
    },
    ({ code, retryAfterSeconds, fields: faults }) => {
      const placed = Object.entries(faults).map(([field, fault]) => [placeOf(field), fault]);
      refuse(toFormErrors({ code, retryAfterSeconds, fields: Object.fromEntries(placed) }, fields));
    },
    // What was typed stays, and the form offers to sign in beside it.
    () => refuse({ form: { code: 'not_signed_in' } }),
  );
  return {
    fields,
    problems,
    /** The number of refusals since the form was right: each moves the focus to the summary. */
    refusals,
    busy,
    run,
    /** Sets or clears the problem of one field, as when the person leaves it. */
    mark: (field: string, problem: Problems[string]) =>
      setProblems(({ [field]: _, ...others }) => (problem ? { ...others, [field]: problem } : others)),
    clear,
  };
};

export type Registration = Pick<
  ReturnType<typeof useRegistration>,
  'fields' | 'problems' | 'refusals' | 'busy'
>;
