/** An error as the engine has it; the detail is for logs. */
export interface EngineError {
  error?: unknown;
  error_detail?: unknown;
  error_description?: unknown;
}
