/** A program that runs the code of docs/verifying-events.md: its main part reads the calls. */
type Program = {
  /** Programs, and an option with which they succeed at once. */
  readonly needs: readonly (readonly [program: string, option: string])[];
  readonly files: (sample: string) => Readonly<Record<string, string>>;
  /** Commands that run one after another in the folder of the files. */
  readonly commands: readonly (readonly [program: string, ...args: string[]])[];
};

const js = `
import { readFileSync } from "node:fs";
const read = (field) => (field === "-" ? undefined : Buffer.from(field, "base64").toString());
for (const line of readFileSync("calls", "utf8").split("\\n")) {
  const [id, timestamp, signature, body, secret] = line.split("\\t");
  const headers = {
    "webhook-id": read(id), "webhook-timestamp": read(timestamp), "webhook-signature": read(signature),
  };
  try {
    console.log(String(verifyEvent(headers, Buffer.from(body, "base64"), read(secret))));
  } catch (error) {
    console.log("throws " + error.name);
  }
}`;

const python = `
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
for line in open("calls", encoding="ascii"):
    fields = line.rstrip("\\n").split("\\t")
    headers = {n: base64.b64decode(f).decode() for n, f in zip(names, fields) if f != "-"}
    body, secret = base64.b64decode(fields[3]), base64.b64decode(fields[4]).decode()
    try:
        print(str(verify_event(headers, body, secret)).lower())
    except Exception as error:
        print("throws", type(error).__name__)
`;

const go = `package main

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	calls, _ := os.ReadFile("calls")
	names := []string{"webhook-id", "webhook-timestamp", "webhook-signature"}
	for _, line := range strings.Split(string(calls), "\\n") {
		fields := strings.Split(line, "\\t")
		headers := http.Header{}
		for i, name := range names {
			if fields[i] != "-" {
				headers.Set(name, string(decode(fields[i])))
			}
		}
		verify(headers, decode(fields[3]), string(decode(fields[4])))
	}
}

func decode(field string) []byte {
	decoded, _ := base64.StdEncoding.DecodeString(field)
	return decoded
}

func verify(headers http.Header, body []byte, secret string) {
	defer func() {
		if recovered := recover(); recovered != nil {
			fmt.Println("throws panic")
		}
	}()
	fmt.Println(VerifyEvent(headers, body, secret))
}
`;

const ruby = `
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
File.foreach("calls", chomp: true) do |line|
  fields = line.split("\\t", -1)
  headers = names.zip(fields).reject { |_, field| field == "-" }
    .to_h { |name, field| [name, Base64.decode64(field).force_encoding("UTF-8")] }
  begin
    puts verify_event(headers, Base64.decode64(fields[3]), Base64.decode64(fields[4]))
  rescue StandardError => error
    puts "throws #{error.class}"
  end
end
`;

const php = `
error_reporting(E_ALL);
set_error_handler(function ($level, $message) {
    throw new ErrorException($message);
});
$names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
foreach (file("calls", FILE_IGNORE_NEW_LINES) as $line) {
    $fields = explode("\\t", $line);
    $headers = [];
    foreach ($names as $i => $name) {
        if ($fields[$i] !== "-") $headers[$name] = base64_decode($fields[$i]);
    }
    try {
        $result = verifyEvent($headers, base64_decode($fields[3]), base64_decode($fields[4]));
        echo $result ? "true" : "false", "\\n";
    } catch (Throwable $error) {
        echo "throws ", get_class($error), "\\n";
    }
}
`;

const java = `import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;

final class Main {
  public static void main(String[] args) throws Exception {
    String[] names = {"webhook-id", "webhook-timestamp", "webhook-signature"};
    for (String line : Files.readAllLines(Path.of("calls"))) {
      String[] fields = line.split("\\t", -1);
      var headers = new HashMap<String, String>();
      for (int i = 0; i < names.length; i++)
        if (!fields[i].equals("-")) headers.put(names[i], text(fields[i]));
      try {
        System.out.println(Events.verify(headers, decode(fields[3]), text(fields[4])));
      } catch (Exception error) {
        System.out.println("throws " + error.getClass().getSimpleName());
      }
    }
  }

  static byte[] decode(String field) {
    return Base64.getDecoder().decode(field);
  }

  static String text(String field) {
    return new String(decode(field), StandardCharsets.UTF_8);
  }
}
`;

const csharp = `using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

static class Program
{
    static void Main()
    {
        var names = new[] { "webhook-id", "webhook-timestamp", "webhook-signature" };
        foreach (var line in File.ReadAllLines("calls"))
        {
            var fields = line.Split('\\t');
            var headers = new Dictionary<string, string>();
            for (var i = 0; i < names.Length; i++)
                if (fields[i] != "-") headers[names[i]] = Text(fields[i]);
            try
            {
                var body = Convert.FromBase64String(fields[3]);
                Console.WriteLine(Events.Verify(headers, body, Text(fields[4])) ? "true" : "false");
            }
            catch (Exception error)
            {
                Console.WriteLine("throws " + error.GetType().Name);
            }
        }
    }

    static string Text(string field) => Encoding.UTF8.GetString(Convert.FromBase64String(field));
}
`;

/** The programs, by the language of the code block. */
export const languages = {
  js: {
    needs: [[process.execPath, "--version"]],
    files: (sample) => ({ "receiver.mjs": sample + js }),
    commands: [[process.execPath, "receiver.mjs"]],
  },
  python: {
    needs: [["python3", "--version"]],
    files: (sample) => ({ "receiver.py": sample + python }),
    commands: [["python3", "receiver.py"]],
  },
  go: {
    needs: [["go", "version"]],
    files: (sample) => ({
      "events.go": sample.replace("package events", "package main"),
      "main.go": go,
    }),
    commands: [["go", "run", "events.go", "main.go"]],
  },
  ruby: {
    needs: [["ruby", "--version"]],
    files: (sample) => ({ "receiver.rb": sample + ruby }),
    commands: [["ruby", "receiver.rb"]],
  },
  php: {
    needs: [["php", "--version"]],
    files: (sample) => ({ "receiver.php": sample + php }),
    commands: [["php", "receiver.php"]],
  },
  java: {
    needs: [["javac", "-version"]],
    files: (sample) => ({ "Events.java": sample, "Main.java": java }),
    commands: [
      ["javac", "Events.java", "Main.java"],
      ["java", "-cp", ".", "Main"],
    ],
  },
  csharp: {
    needs: [
      ["mcs", "--version"],
      ["mono", "--version"],
    ],
    files: (sample) => ({ "Events.cs": sample, "Program.cs": csharp }),
    commands: [
      ["mcs", "-out:receiver.exe", "Events.cs", "Program.cs"],
      ["mono", "receiver.exe"],
    ],
  },
} as const satisfies Record<string, Program>;

export type Language = keyof typeof languages;
