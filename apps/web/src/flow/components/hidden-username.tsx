/** Gives password managers the username for a password form that has no field for it. */
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
