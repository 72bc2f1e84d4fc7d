import type { FormErrors } from './form-errors.ts';

/** The one field that is at fault, where nothing else is: its error is told there alone. */
export const onlyFault = <Field extends string>(errors: FormErrors<Field>): Field | undefined => {
  const found = Object.keys(errors).filter((key) => errors[key as Field]);
  return found.length === 1 && found[0] !== 'form' ? (found[0] as Field) : undefined;
};
