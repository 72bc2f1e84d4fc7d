package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		id, at := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + at + "." + string(body)))
		right, signed := "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)), false
		for _, given := range strings.Split(r.Header.Get("webhook-signature"), " ") {
			signed = signed || hmac.Equal([]byte(given), []byte(right))
		}
		sent, _ := strconv.ParseInt(at, 10, 64)
		if !signed || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		log.Println(id, string(body)) // Store it by its id, and work it off later: it may come twice.
		w.WriteHeader(http.StatusNoContent)
	})))
}
