/** Tells password managers whose password a form sets, where the form itself does not ask. */
export const HiddenUsername = ({ value }: { value: string }) => (
  <input
    className="visually-hidden"
    type="text"
    name="username"
    autoComplete="username"
    value={value}
    readOnly
    tabIndex={-1}
    aria-hidden="true"
  />
);
