/**
 * Code that checks the signature of an event: Standard Webhooks, without packages. `body` is the
 * body's bytes as received.
 */
export const verificationSnippets: readonly {
  readonly id: string;
  readonly title: string;
  readonly code: string;
}[] = [
  {
    id: "node",
    title: "Node.js",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

const key = Buffer.from(process.env.WEBHOOK_SECRET.slice("whsec_".length), "base64");

export function isGenuine(headers, body) {
  const id = headers["webhook-id"];
  const time = headers["webhook-timestamp"];
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac("sha256", key).update(\`\${id}.\${time}.\`).update(body).digest();
  return headers["webhook-signature"].split(" ").some((signature) => {
    const [version, value = ""] = signature.split(",");
    const given = Buffer.from(value, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  },
  {
    id: "python",
    title: "Python",
    code: `import base64, hmac, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body):
    id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        return False
    digest = hmac.digest(KEY, f"{id}.{sent_at}.".encode() + body, "sha256")
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(expected, signature)
               for signature in headers["webhook-signature"].split())`,
  },
  {
    id: "go",
    title: "Go",
    code: `func IsGenuine(header http.Header, body []byte) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	sent, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.", header.Get("webhook-id"), sent)
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  },
  {
    id: "php",
    title: "PHP",
    code: `function is_genuine(array $headers, string $body): bool {
    $key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    $time = $headers['webhook-timestamp'];
    if (abs(time() - (int) $time) > 300) return false;
    $content = $headers['webhook-id'] . '.' . $time . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $signature)
        if (hash_equals($expected, $signature)) return true;
    return false;
}`,
  },
];
