package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

var issuer, api = os.Getenv("ISSUER"), os.Getenv("API")
var errWrong = errors.New("the token is not good for this API")
var client = &http.Client{Timeout: 3 * time.Second}

type scope struct{ Token string }

// A directive has the token in the header, or where Alexa, SmartThings, Tmall Genie and Xiaodu put it.
type directive struct {
	Directive struct {
		Endpoint, Payload struct{ Scope scope }
	}
	Authentication scope
	Payload        struct{ AccessToken string }
}

func (d directive) token(header string) string {
	if kind, token, _ := strings.Cut(header, " "); strings.EqualFold(kind, "Bearer") {
		return token
	}
	alexa := d.Directive
	for _, token := range []string{alexa.Endpoint.Scope.Token, alexa.Payload.Scope.Token, d.Authentication.Token} {
		if token != "" {
			return token
		}
	}
	return d.Payload.AccessToken
}

var keys struct {
	sync.Mutex
	known map[string]*ecdsa.PublicKey
	asked time.Time
}

func bytesOf(text string) []byte {
	raw, _ := base64.RawURLEncoding.DecodeString(text)
	return raw
}

// keyOf asks for a key that is new, but not more often than every ten seconds: tokens may name any.
func keyOf(kid string) (*ecdsa.PublicKey, error) {
	keys.Lock()
	defer keys.Unlock()
	if key := keys.known[kid]; key != nil || time.Since(keys.asked) < 10*time.Second {
		return key, nil
	}
	answer, err := client.Get(issuer + "/oauth/jwks")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var set struct {
		Keys []struct{ Kid, Crv, X, Y string }
	}
	if answer.StatusCode != http.StatusOK || json.NewDecoder(answer.Body).Decode(&set) != nil {
		return nil, errors.New("the keys: " + answer.Status)
	}
	keys.known, keys.asked = map[string]*ecdsa.PublicKey{}, time.Now()
	for _, key := range set.Keys {
		if key.Crv == "P-256" {
			x, y := new(big.Int).SetBytes(bytesOf(key.X)), new(big.Int).SetBytes(bytesOf(key.Y))
			keys.known[key.Kid] = &ecdsa.PublicKey{Curve: elliptic.P256(), X: x, Y: y}
		}
	}
	return keys.known[kid], nil
}

type claims struct {
	Iss, Aud, Sub, Scope string
	Exp                  int64
	Client               string `json:"client_id"`
}

// claimsOf reads a token that is good for this API (RFC 9068 section 4).
func claimsOf(token string) (found claims, err error) {
	parts := strings.Split(token, ".")
	var header struct{ Typ, Alg, Kid string }
	if len(parts) != 3 || json.Unmarshal(bytesOf(parts[0]), &header) != nil {
		return found, errWrong
	}
	if header.Typ != "at+jwt" || header.Alg != "ES256" {
		return found, errWrong
	}
	key, err := keyOf(header.Kid)
	if err != nil {
		return found, err
	}
	signature, hash := bytesOf(parts[2]), sha256.Sum256([]byte(parts[0]+"."+parts[1]))
	if key == nil || len(signature) != 64 {
		return found, errWrong
	}
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if !ecdsa.Verify(key, hash[:], r, s) || json.Unmarshal(bytesOf(parts[1]), &found) != nil {
		return found, errWrong
	}
	if found.Iss != issuer || found.Aud != api || found.Exp <= time.Now().Unix() {
		return found, errWrong
	}
	return found, nil
}

func whose(r *http.Request) (int, map[string]string) {
	body, _ := io.ReadAll(http.MaxBytesReader(nil, r.Body, 1<<20))
	var told directive
	if len(body) > 0 && json.Unmarshal(body, &told) != nil {
		return http.StatusBadRequest, nil
	}
	found, err := claimsOf(told.token(r.Header.Get("Authorization")))
	if errors.Is(err, errWrong) {
		return http.StatusUnauthorized, nil
	}
	if err != nil {
		log.Print(err) // An outage says nothing about the token: the platform is to ask again.
		return http.StatusServiceUnavailable, nil
	}
	if !slices.Contains(strings.Fields(found.Scope), "lights:switch") {
		return http.StatusForbidden, nil
	}
	// Find the lamps of the account, and switch them.
	return http.StatusOK, map[string]string{"account": found.Sub, "platform": found.Client}
}

func main() {
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, told := whose(r)
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(told)
	})))
}
