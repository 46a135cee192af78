// Renders the templates of a chart as Helm does: Go's templates with sprig's functions and Helm's own. Reads the values as
// JSON, and prints one JSON string for each file.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder string) error {
	var values map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&values); err != nil {
		return err
	}
	// As Helm sets it: a missing value is empty.
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data any) (string, error) {
		var out bytes.Buffer
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value any) (string, error) {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(out.String(), "\n"), err
	}
	functions["required"] = func(message string, value any) (any, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	root.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := root.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		var out bytes.Buffer
		if err := root.ExecuteTemplate(&out, name, values); err != nil {
			return err
		}
		rendered[name] = out.String()
	}
	return json.NewEncoder(os.Stdout).Encode(rendered)
}
