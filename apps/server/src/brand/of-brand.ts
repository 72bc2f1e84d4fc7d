/** What was found, if the brand has it: what is of no brand is every brand's. */
export const ofBrand = <Found extends { brand: string | undefined }>(
  found: Found | undefined,
  brand: string,
): Found | undefined => (found?.brand === undefined || found.brand === brand ? found : undefined);
