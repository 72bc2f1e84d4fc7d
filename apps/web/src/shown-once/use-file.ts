import { useEffect, useState } from 'react';

/** The address of a file to download, while the component is shown. */
export const useFile = (text: string): string | undefined => {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return address;
};
