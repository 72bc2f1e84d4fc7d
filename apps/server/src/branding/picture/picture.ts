/** A picture that we encoded, ready to be served. */
export interface Picture {
  /** The media type. */
  type: string;
  bytes: Uint8Array;
}
