/** An identifier that breaks before its “@”, where a line has no room for all of it. */
export const IdentifierText = ({ text }: { text: string }) => {
  const at = text.lastIndexOf('@');
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
};
