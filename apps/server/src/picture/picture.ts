/** A picture of ours, ready to be served. */
export interface Picture {
  /** A media type. */
  type: string;
  bytes: Uint8Array;
}
