/** `found`, if the brand has it. What names no brand belongs to every brand. */
export const ofBrand = <Found extends { brand: string | undefined }>(
  found: Found | undefined,
  brand: string,
): Found | undefined => (found?.brand === undefined || found.brand === brand ? found : undefined);
