import type { ClosableJournal } from "launchpad-desk/journal";

/** Options of {@link nodeFetch}. Unknown names are refused. */
export interface NodeFetchOptions {
    /**
     * How long a connection is kept for the next call, in milliseconds. Default 4000; 0 keeps none. A service that closes
     * one in the very moment it is used leaves the outcome unknown: stay below its own limit.
     */
    keepAliveMs?: number;
    /** How long a connection may take to open, TLS included, in milliseconds; then nothing was sent. Default 10000. */
    connectTimeoutMs?: number;
    /** Certificates to trust instead of the well-known ones, in PEM. */
    ca?: string | Uint8Array | readonly (string | Uint8Array)[];
}

/** A reply in the shape of `Response`, as far as one is read. */
export interface NodeReply {
    /** The HTTP status. */
    readonly status: number;
    /** The words after it. */
    readonly statusText: string;
    /** Whether the status is a success. */
    readonly ok: boolean;
    /** Always `false`: a redirect is a reply like any other, and never followed. */
    readonly redirected: boolean;
    /** The URL that was asked. */
    readonly url: string;
    /** The headers, by name in any case. */
    readonly headers: { get(name: string): string | null; has(name: string): boolean };
    /** The body, piece by piece. */
    readonly body: { getReader(): { read(): Promise<{ done: false; value: Uint8Array } | { done: true; value: undefined }>; cancel(): Promise<void>; releaseLock(): void } };
    /** Whether the body has been read. */
    readonly bodyUsed: boolean;
    /** The whole body. */
    bytes(): Promise<Uint8Array>;
    /** The whole body. */
    arrayBuffer(): Promise<ArrayBuffer>;
    /** The whole body as text, of UTF-8. */
    text(): Promise<string>;
    /** The whole body as JSON. */
    json(): Promise<unknown>;
}

/** What {@link nodeFetch} reads of a call. */
export interface NodeFetchInit {
    /** The method. Default `GET`. */
    method?: string;
    /** The headers. */
    headers?: Record<string, string> | { entries(): Iterable<[string, string]> };
    /** The body. */
    body?: string | Uint8Array | null;
    /** Never followed, whatever stands here. */
    redirect?: string;
    /** Aborts the call. */
    signal?: AbortSignal | null;
}

/** A `fetch` over node:http and node:https. */
export interface NodeFetch {
    /** Sends a request, once. */
    (url: string | URL, init?: NodeFetchInit): Promise<NodeReply>;
    /** Opens a connection ahead, name, TCP and TLS, unless one lies ready: the next call finds it open. */
    warm(url: string | URL): Promise<void>;
    /** Closes every connection. */
    close(): void;
}

/**
 * A transport over `node:http` and `node:https`: connections are kept, a call takes about a third of the CPU that Node's own
 * `fetch` takes, and more is known of a failure. On Node, clients that are given no `fetch` share one; make your own, for
 * `new TradeClient({ fetch: nodeFetch(options) })`, where it needs options.
 *
 * A request is given a connection that is open, its certificate checked, and not before. Whatever fails earlier rejects
 * with an error that carries `error[Symbol.for("launchpad-desk.unsent")] === true`: nothing was sent, and a client says
 * `not_sent`. A call that is aborted meanwhile rejects so at once, and a client whose deadline passes says `not_sent`, too.
 * That holds in Node. Bun and Deno have a `node:http` of their own; there the same failure is `unknown`, and
 * in Deno no connection is used twice, since Deno would send a request again when a used one closes without an answer.
 *
 * Nothing is ever sent twice, and no redirect is followed. A proxy that the environment names is not used.
 *
 * A function of yours around it that tries again has to pass the call's `signal` on: then a later failure does not pass for
 * proof of the first try.
 *
 * @throws {TypeError} for options it does not know or cannot use.
 */
export declare function nodeFetch(options?: NodeFetchOptions): NodeFetch;

/**
 * A journal in the file at `path`, for Node, Bun and Deno: a line of JSON for each intent that begins, on the disk before
 * it is sent, and one for its end. It survives `kill -9` and power cuts. A last line that is whole is taken, be its end
 * there or not; one that was torn is dropped, and a warning of the process (`JournalWarning`) says so.
 *
 * The file is opened at the first call, by one process at a time (`path.lock`), and a link is followed to where it leads,
 * be there a file or not. Then, and each time it has doubled and grown by 8 MiB, it is shortened to what is still needed:
 * the intents in doubt, the latest 10,000 that landed, and a sum for each day. In between it grows by some 400 bytes a trade. It is
 * read and written piece by piece, so however long it is, it takes no more memory than that. A kill while it is
 * shortened leaves the old file or the new one, whole, and at most a `path.fresh` that nobody reads.
 *
 * A program that is killed leaves its lock behind. It is taken over where that program is seen to be gone; where it cannot be
 * seen (its machine, or container, had another name; off Linux, another process has its number by now) the error names the
 * file to remove.
 *
 * Rejects where another process has it open, where a line in the midst of it cannot be read, and, from then on, after a
 * write that failed: nobody knows then what is in the file, until it is opened anew.
 */
export declare function fileJournal(path: string): ClosableJournal;
